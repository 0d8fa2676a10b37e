// A certificate for service.test and 127.0.0.1, good for a hundred years. Its key is known to everybody: it proves nothing.

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5mSw0o/sumDwpcu9
J5C7FZ/Jhmz0sYoazqKa4IGD7sOhRANCAATy0SPYv+VlVJg2zug+A+Y57hrAMeVl
72bcYvLF2YelfNgcGExeRcF6VuDtncsy1K2qmBmPB179zWqzu8CoPOH7
-----END PRIVATE KEY-----`;
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIUJQ3NY6npab7wu8cj6h8U2x+JsngwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2VydmljZS50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAw
MTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxzZXJ2aWNlLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATy0SPYv+VlVJg2zug+A+Y57hrAMeVl72bcYvLF2YelfNgc
GExeRcF6VuDtncsy1K2qmBmPB179zWqzu8CoPOH7o1EwTzAdBgNVHREEFjAUggxz
ZXJ2aWNlLnRlc3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUgpjl
dmTmtJb2lyczbd458PeLpzQwCgYIKoZIzj0EAwIDSQAwRgIhAMYyFSSrpQTm6xWW
6YYcTGSs35Q0ZoiLhopQp/74ZGZJAiEA95hMJhy0umus7GUKAflI0uZfu7OSpiky
PxQkPemhJHw=
-----END CERTIFICATE-----`;
