/** Classes that only event streams, an adaptive retry mode, web streams, or a machine without OpenSSL would use. */
class Unused {}

export { Unused as ChecksumStream, Unused as DefaultRateLimiter, Unused as HeaderFormatter, Unused as Sha256Js }
