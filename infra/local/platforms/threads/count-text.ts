/** Threads' count: an emoji with its joiners counts its bytes in UTF-8; anything else one per code point. */
export function countText(text: string): number {
  const emoji =
    /(?:\p{RI}\p{RI}|[#*0-9]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}\p{EMod}?\u{fe0f}?(?:\u{200d}\p{Extended_Pictographic}\p{EMod}?\u{fe0f}?)*)/gu
  const bytes = (text.match(emoji) ?? []).reduce((sum, symbol) => sum + Buffer.byteLength(symbol), 0)
  return bytes + [...text.replace(emoji, '')].length
}
