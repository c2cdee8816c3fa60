/** Sends bytes as the network would: cut anywhere, with empty pieces between. */
export async function* inPieces(bytes: Uint8Array, cuts: number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(start, cut)
    start = Math.max(start, cut)
  }
  yield bytes.subarray(start)
}
