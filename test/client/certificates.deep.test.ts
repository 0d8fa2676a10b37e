// Certificates on the ways that certificates.test.ts leaves out: bulk runs, proxies, and a bulk run after a refresh.

import { testCertificates } from './certificate-ways.ts';

testCertificates('deep');
