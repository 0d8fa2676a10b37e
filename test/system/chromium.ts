// A real browser for a test: the Chromium of this machine, without a window, and a page that writes down what it loads.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { chromium, type Page } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'] as const;
const executablePath = places.find((place) => existsSync(place));

/** A reason, where no browser is found. */
export const skip = executablePath === undefined && `no Chromium at ${places.join(', ')}`;

export interface Opened {
  readonly page: Page;
  /** The origins of everything that was asked for, in order of their first request. */
  readonly origins: ReadonlySet<string>;
  /** What the page complained of: refused by its policy, failed, thrown. */
  readonly complaints: readonly string[];
}

/** `names`: host names that lead to this machine in that browser. */
export async function openPage(test: TestContext, names: readonly string[] = []): Promise<Opened> {
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(names.length === 0
        ? []
        : [`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(', ')}`]),
      // A page that a test has put into the browser is of no network, and may not reach this machine otherwise.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
  test.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  page.setDefaultTimeout(30_000);
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, origins, complaints };
}

interface Contrast {
  readonly text: string;
  readonly ratio: number;
}

/** Of each element with text of its own, to what is behind it: WCAG 2, 1.4.3. */
export async function contrastsOf(page: Page): Promise<readonly Contrast[]> {
  const found: unknown = await page.evaluate(`(() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
      .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = numbers(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
      }
      return getComputedStyle(document.documentElement).colorScheme.includes('dark') ? [0, 0, 0] : [255, 255, 255];
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .map((element) => {
        const [one, other] = [luminance(numbers(getComputedStyle(element).color)), luminance(behind(element))].sort((a, b) => b - a);
        return { text: element.tagName + ' ' + element.textContent.slice(0, 30), ratio: (one + 0.05) / (other + 0.05) };
      });
  })()`);
  assert.ok(Array.isArray(found));
  return found.map(({ text, ratio }) => ({ text: String(text), ratio: Number(ratio) }));
}
