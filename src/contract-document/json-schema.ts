// Translates schemas into JSON Schema (OpenAPI 3.0, draft 7). Records and ids become components, which clients get as types.

import { type IdentifierType, identifierTypes } from '#contract/identifier.ts';
import type { DateRules, NumberRules, Schema, SchemaForm, TextRules } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';

export type JsonObject = Readonly<Record<string, unknown>>;
type Dialect = 'openapi-3.0' | 'draft-7';
// A request rejects unknown members and has ranges; a response may have new members, and a longer duration than a request may set.
type Direction = 'sent' | 'received';

export class Components {
  readonly dialect: Dialect;
  readonly #components = new Map<string, { readonly source: unknown; readonly schema: JsonObject }>();

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  get schemas(): JsonObject {
    const rows = [...this.#components].map(([name, { schema }]) => [name, schema] as const);
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns a reference to a component. Throws if the component of this name has another source. */
  reference(name: string, source: unknown, create: () => JsonObject): JsonObject {
    const existing = this.#components.get(name);
    if (existing !== undefined && existing.source !== source)
      throw new Error(`Two schemas are named ${name}`);
    if (existing === undefined) this.#components.set(name, { source, schema: create() });
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns the JSON Schema of a value in JSON, not of a parameter whose text is JSON. */
  translate(schema: Schema<unknown>, direction: Direction): JsonObject {
    const { form, type } = schema;
    if (form === undefined) throw new Error(`The schema ${type} has no form`);
    if (form.kind === 'object') {
      const name = `${toPascalCase(type)}${direction === 'sent' ? 'Input' : ''}`;
      return this.reference(name, form, () => this.#object(form.shape, direction));
    }
    // Some choices have a name in the contract, such as TaskStatus.
    if (form.kind === 'choice' && /^[A-Z]/.test(type))
      return this.reference(type, form.choices, () => this.#inline(form, direction));
    if (form.kind === 'text' && isIdentifierType(type))
      return this.reference(type, form.rules.pattern, () => textSchema(form.rules));
    if (form.kind === 'any' && type === 'object') return { type };
    return this.#inline(form, direction);
  }

  #inline(form: Exclude<SchemaForm, { kind: 'object' }>, direction: Direction): JsonObject {
    switch (form.kind) {
      case 'text':
        return textSchema(form.rules);
      case 'date':
        // A pattern cannot check that the day exists in the calendar.
        return {
          type: 'string',
          pattern: datePattern(direction === 'sent' ? form.rules : { time: form.rules.time }),
        };
      case 'number':
        return numberSchema(
          direction === 'sent' ? form.rules : omitUndefined({ integer: form.rules.integer }),
          this.dialect,
        );
      case 'choice':
        return { type: 'string', enum: form.choices };
      case 'choices': {
        const choice = `(${form.choices.join('|')})`;
        return { type: 'string', pattern: `^${choice}(,${choice})*$` };
      }
      case 'boolean':
        return { type: 'boolean' };
      case 'any':
        return {};
      case 'file':
        return { type: 'string', format: 'binary' };
      case 'list':
        return {
          type: 'array',
          items: this.translate(form.item, direction),
          ...(form.rules.notEmpty === undefined ? {} : { minItems: 1, 'x-assumed': ['empty-list'] }),
          ...omitUndefined({ maxItems: form.rules.max }),
        };
      case 'nullable':
        return this.#nullable(form, direction);
    }
  }

  #nullable(
    { schema: { form, type }, assumption }: Extract<SchemaForm, { kind: 'nullable' }>,
    direction: Direction,
  ): JsonObject {
    if (form === undefined) throw new Error(`${type} cannot be null`);
    // The siblings of a reference are ignored, so it cannot allow null.
    const inner: JsonObject = {
      ...(form.kind === 'object' ? this.#object(form.shape, direction) : this.#inline(form, direction)),
      ...(assumption === undefined ? {} : { 'x-assumed': [assumption] }),
    };
    if (this.dialect === 'openapi-3.0') return { ...inner, nullable: true };
    return { ...inner, type: [inner['type'] ?? 'string', 'null'] };
  }

  #member(schema: Schema<unknown>, direction: Direction): JsonObject {
    const translated = this.translate(schema, direction);
    return schema.assumed === undefined ? translated : beside(translated, { 'x-assumed': [schema.assumed] });
  }

  #object(shape: Readonly<Record<string, Schema<unknown>>>, direction: Direction): JsonObject {
    const rows = Object.entries(shape);
    const required = rows.filter(([, { optional }]) => !optional).map(([name]) => name);
    return {
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(rows.map(([name, schema]) => [name, this.#member(schema, direction)])),
      ...(direction === 'sent' ? { additionalProperties: false } : {}),
    };
  }
}

export const assumptionsNote = `Parts that the contract does not show have \`x-assumed\`: the ids of their rows in \`x-assumptions\`. The \`source\` of a
row is \`recorded\` if the service was recorded doing so, \`noted\` if those who recorded it wrote it down, \`reference\` if the public
reference of 2019 shows it, and \`assumed\` otherwise.`;

/** Adds members to a schema. The siblings of a reference are ignored. */
export function beside(schema: JsonObject, members: JsonObject): JsonObject {
  return '$ref' in schema ? { allOf: [schema], ...members } : { ...schema, ...members };
}

const isIdentifierType = (type: string): type is IdentifierType =>
  identifierTypes.some((identifierType) => identifierType === type);

function toPascalCase(words: string): string {
  return words.replace(/(?:^|\s+)(\S)/g, (_, first: string) => first.toUpperCase());
}

/** Omits patterns with flags or lookahead, which not all languages support. */
function textSchema({ max, notEmpty, pattern, forbiddenCharacters = [] }: TextRules): JsonObject {
  const portable = pattern?.regex.flags === '' ? pattern.regex.source : undefined;
  const allowed = forbiddenCharacters.length > 0 ? withoutCharacters(forbiddenCharacters) : portable;
  const isNeverEmpty = notEmpty || (pattern !== undefined && !pattern.regex.test(''));
  return {
    type: 'string',
    // Leave out an assumed pattern: it does not bind other programs.
    ...omitUndefined({ description: pattern?.assumption === undefined ? pattern?.description : undefined }),
    ...(isNeverEmpty ? { minLength: 1 } : {}),
    ...omitUndefined({ maxLength: max, pattern: allowed }),
  };
}

function withoutCharacters(forbidden: NonNullable<TextRules['forbiddenCharacters']>): string {
  const escaped = ({ character }: { readonly character: string }) =>
    `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const anywhere = forbidden.filter(({ position }) => position === undefined).map(escaped);
  const escapedCharacters = forbidden.map(escaped);
  return `^([^${escapedCharacters.join('')}][^${anywhere.join('')}]*)?$`;
}

function numberSchema({ from, below, to, integer }: NumberRules, dialect: Dialect): JsonObject {
  const upper: JsonObject =
    below === undefined
      ? omitUndefined({ maximum: to })
      : dialect === 'openapi-3.0'
        ? { maximum: below, exclusiveMaximum: true }
        : { exclusiveMaximum: below };
  return { type: integer ? 'integer' : 'number', ...omitUndefined({ minimum: from }), ...upper };
}

const monthAndDay = '-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const timeOfDay = 'T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

function datePattern({ time, range }: DateRules): string {
  const year = range === undefined ? '\\d{4}' : yearPattern(range);
  return `^${year}${monthAndDay}${time === 'optional' ? `(${timeOfDay})?` : ''}$`;
}

/** The range starts and ends at a decade. */
function yearPattern({ from, below }: NonNullable<DateRules['range']>): string {
  const decadeOf = (date: string) => Number(date.slice(0, 3));
  const first = decadeOf(from);
  const decades = Array.from({ length: decadeOf(below) - first }, (_, index) => String(first + index));
  return `(${decades.join('|')})\\d`;
}
