// Creates the key and certificate of an emulator with https, for this machine's names and others, and the certificate authority that
// clients trust. Node cannot create certificates; see docs/decisions/certificate.md.

import { webcrypto } from 'node:crypto';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import * as pki from 'pkijs';

const hourMs = 3_600_000;
/** Apple's clients reject certificates that are valid for more than 398 days. */
const lifeMs = 365 * 24 * hourMs;

const elliptic = { name: 'ECDSA', namedCurve: 'P-256' };
const hash = 'SHA-256';
const { subtle } = webcrypto;

const oid = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** Bits, counted from the left. */
const usage = { digitalSignature: 0x80, keyCertSign: 0x04 } as const;
const nameType = { dns: 2, ip: 7 } as const;

const octets = (valueHex: ArrayBuffer) => new OctetString({ valueHex });
const dnsName = (value: string) => new pki.GeneralName({ type: nameType.dns, value });
const address = (bytes: readonly number[]) =>
  new pki.GeneralName({ type: nameType.ip, value: octets(Uint8Array.from(bytes).buffer) });

const loopbackNames: readonly pki.GeneralName[] = [
  dnsName('localhost'),
  address([127, 0, 0, 1]),
  address([...Array.from({ length: 15 }, () => 0), 1]),
];

/** All three in PEM. `now`: on the clients' clocks. The authority's key is discarded, so it signs nothing else. */
export async function createServerCertificate(now: number, hostNames: readonly string[] = []) {
  const createKeys = () => subtle.generateKey(elliptic, true, ['sign', 'verify']);
  const [authorityKeys, serverKeys] = await Promise.all([createKeys(), createKeys()]);
  const authority = await createCertificate('wm emulator authority', now, authorityKeys.publicKey);
  const certificate = await createCertificate('wm emulator', now, serverKeys.publicKey);
  certificate.issuer = authority.subject;
  const keyIdentifier = octets(await authority.getKeyHash());
  authority.extensions = [
    extension(oid.basicConstraints, new pki.BasicConstraints({ cA: true, pathLenConstraint: 0 }), 'critical'),
    extension(oid.keyUsage, bits(usage.keyCertSign, 2), 'critical'),
    extension(oid.subjectKeyIdentifier, keyIdentifier),
  ];
  certificate.extensions = [
    extension(oid.basicConstraints, new pki.BasicConstraints({ cA: false }), 'critical'),
    extension(oid.keyUsage, bits(usage.digitalSignature, 7), 'critical'),
    extension(oid.extKeyUsage, new pki.ExtKeyUsage({ keyPurposes: [oid.serverAuth] })),
    extension(
      oid.subjectAltName,
      new pki.GeneralNames({ names: [...loopbackNames, ...hostNames.map(dnsName)] }),
    ),
    extension(oid.subjectKeyIdentifier, octets(await certificate.getKeyHash())),
    extension(oid.authorityKeyIdentifier, new pki.AuthorityKeyIdentifier({ keyIdentifier })),
  ];
  await authority.sign(authorityKeys.privateKey, hash);
  await certificate.sign(authorityKeys.privateKey, hash);
  return {
    authority: pem('CERTIFICATE', authority.toSchema(true).toBER()),
    certificate: pem('CERTIFICATE', certificate.toSchema(true).toBER()),
    key: pem('PRIVATE KEY', await subtle.exportKey('pkcs8', serverKeys.privateKey)),
  };
}

async function createCertificate(
  label: string,
  now: number,
  key: webcrypto.CryptoKey,
): Promise<pki.Certificate> {
  const certificate = new pki.Certificate({ version: 2 });
  await certificate.subjectPublicKeyInfo.importKey(key);
  const keyHash = Buffer.from(await certificate.getKeyHash());
  // A part of the key's hash distinguishes the authorities of two emulators in one trust store.
  const value = new Utf8String({ value: `${label} ${keyHash.toString('hex', 0, 4)}` });
  const name = new pki.AttributeTypeAndValue({ type: oid.commonName, value });
  // DER wants a positive number whose first byte is not zero.
  certificate.serialNumber = new Integer({
    valueHex: Uint8Array.of(0x40, ...keyHash.subarray(0, 15)).buffer,
  });
  certificate.subject.typesAndValues.push(name);
  certificate.issuer.typesAndValues.push(name);
  certificate.notBefore.value = new Date(now - hourMs);
  certificate.notAfter.value = new Date(now + lifeMs);
  return certificate;
}

const bits = (byte: number, unusedBits: number) =>
  new BitString({ valueHex: Uint8Array.of(byte).buffer, unusedBits });

type Encodable = Pick<OctetString, 'toBER'>;

function extension(extnID: string, value: Encodable | { toSchema(): Encodable }, critical?: 'critical') {
  const encodable = 'toSchema' in value ? value.toSchema() : value;
  return new pki.Extension({ extnID, critical: critical !== undefined, extnValue: encodable.toBER() });
}

function pem(label: string, der: ArrayBuffer): string {
  const base64 = Buffer.from(der).toString('base64');
  const lines = base64.replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
