/** Bounds on the memory of bodies that are being read, wait, or are worked on. */
export interface BodyLimits {
  bytes: number
  /** From one address. */
  bytesEach: number
}

const usual: BodyLimits = { bytes: 256 * 2 ** 20, bytesEach: 32 * 2 ** 20 }

/** The part of one request. */
interface Share {
  /** Counts bytes that have arrived; false if they are too many for the memory of all, or of this address. */
  add(bytes: number): boolean
  release(): void
}

/** Bodies are read before their requests are admitted, so that a flood of them would fill the memory. */
export const makeBodyBudget = ({ bytes: maxBytes, bytesEach }: BodyLimits = usual): ((address: string) => Share) => {
  let total = 0
  const ofAddress = new Map<string, number>()
  const change = (address: string, by: number) => {
    const next = (ofAddress.get(address) ?? 0) + by
    total += by
    if (next === 0) ofAddress.delete(address)
    else ofAddress.set(address, next)
  }
  return (address) => {
    let own = 0
    return {
      add(bytes) {
        if (total + bytes > maxBytes || (ofAddress.get(address) ?? 0) + bytes > bytesEach) return false
        own += bytes
        change(address, bytes)
        return true
      },
      release() {
        change(address, -own)
        own = 0
      },
    }
  }
}
