const [base, least, max, skew, damp] = [36, 1, 26, 38, 700]

const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? damp : 2))
  rest += Math.floor(rest / points)
  let bias = 0
  for (; rest > ((base - least) * max) / 2; bias += base) rest = Math.floor(rest / (base - least))
  return bias + Math.floor(((base - least + 1) * rest) / (rest + skew))
}

/** How many digits a number takes (RFC 3492, 6.3). */
const digitsOf = (delta: number, bias: number): number => {
  let digits = 1
  let rest = delta
  for (let k = base; ; k += base, digits += 1) {
    const threshold = Math.min(Math.max(k - bias, least), max)
    if (rest < threshold) return digits
    rest = Math.floor((rest - threshold) / (base - threshold))
  }
}

const encodedLength = (points: readonly number[]): number => {
  const basic = points.filter((point) => point < 0x80).length
  let length = basic + (basic > 0 ? 1 : 0)
  let [done, before, delta, bias] = [basic, 0x80, 0, 72]
  for (const next of [...new Set(points.filter((point) => point >= 0x80))].sort((one, other) => one - other)) {
    delta += (next - before) * (done + 1)
    for (const point of points) {
      if (point < next) delta += 1
      if (point !== next) continue
      length += digitsOf(delta, bias)
      bias = adapt(delta, done + 1, done === basic)
      delta = 0
      done += 1
    }
    delta += 1
    before = next + 1
  }
  return length
}

const prefix = 'xn--'.length

/**
 * The length of a label of a host name in ASCII (RFC 3492). A label with more than `enough` letters counts as infinitely
 * long, so that the work is bounded.
 */
export const punycodeLength = (label: string, enough: number): number => {
  if (/^[\x20-\x7e]*$/.test(label)) return label.length
  if (label.length > 2 * enough) return Number.POSITIVE_INFINITY
  const points = Array.from(label, (letter) => letter.codePointAt(0) ?? 0)
  return points.length > enough ? Number.POSITIVE_INFINITY : prefix + encodedLength(points)
}
