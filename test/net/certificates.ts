import { getCACertificates, setDefaultCACertificates } from 'node:tls'

// For tests only: one key, and certificates that it has signed itself.
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9s157U4ooJwhEepo
pjDVB7sru6xgDfr2KDnWRl8zqtihRANCAASVFBGtZVOV3SkmM46CpJBK54ME8dea
Bsat2El+TFGKvLHJqJP+cSJVq9uRe+BYrIKLE9DYcqDADoKCC7yEOqFF
-----END PRIVATE KEY-----`

/** Valid until 2126, for localhost and 127.0.0.1. */
export const good = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUWPtL2xYEsNlBLda9jaKmUpNqRhcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5MDgzMVoYDzIxMjYxMDI4
MDkwODMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASVFBGtZVOV3SkmM46CpJBK54ME8deaBsat2El+TFGKvLHJqJP+cSJV
q9uRe+BYrIKLE9DYcqDADoKCC7yEOqFFo28wbTAdBgNVHQ4EFgQUFxWNhHh3M1sW
rkE1P8ey4VwX1BAwHwYDVR0jBBgwFoAUFxWNhHh3M1sWrkE1P8ey4VwX1BAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgML0026YeVx6ZyJGb51HV/eVWNFK80K7YWFQdfhKeLuoCIHUs
zYY0DABMV0JpIVAvYwRDJkX9X6p+uJN5ZJ8Vm83A
-----END CERTIFICATE-----`

/** For the same names, but only in January 2020. */
export const expired = `-----BEGIN CERTIFICATE-----
MIIBYjCCAQigAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMjAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASVFBGtZVOV3SkmM46C
pJBK54ME8deaBsat2El+TFGKvLHJqJP+cSJVq9uRe+BYrIKLE9DYcqDADoKCC7yE
OqFFo0swSTAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDAYDVR0TBAUwAwEB
/zAdBgNVHQ4EFgQUFxWNhHh3M1sWrkE1P8ey4VwX1BAwCgYIKoZIzj0EAwIDSAAw
RQIhANkZW5WwboFASxBAIxBL42k7q85qA04OvZHttTGoW7AxAiB6cbeuajhVTKBb
YDTHTC2OlP52R1J0ARz9Fq4GSDS89w==
-----END CERTIFICATE-----`

/** Valid until 2126, for other.example. */
export const misnamed = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUf1GVec4naDbiWyP80Gb2PYFGyKYwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMjIwNDExNDNaGA8yMTI2
MTAyOTA0MTE0M1owGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABJUUEa1lU5XdKSYzjoKkkErngwTx15oGxq3YSX5MUYq8
scmok/5xIlWr25F74FisgosT0NhyoMAOgoILvIQ6oUWjbTBrMB0GA1UdDgQWBBQX
FY2EeHczWxauQTU/x7LhXBfUEDAfBgNVHSMEGDAWgBQXFY2EeHczWxauQTU/x7Lh
XBfUEDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDW90aGVyLmV4YW1wbGUw
CgYIKoZIzj0EAwIDSAAwRQIgF1BVaW7dB1XrIH4Rb3duwAhbNfzff3PZ2JeA2fea
KkUCIQDFTEIVzbTTnTHd6x/hcsaPiCLlAZeFV6o4xNxIhWqM2w==
-----END CERTIFICATE-----`

/** Lets this process trust certificates as if an authority had signed them; the answer ends that. */
export const trust = (...certificates: readonly string[]): (() => void) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, ...certificates])
  return () => setDefaultCACertificates(before)
}
