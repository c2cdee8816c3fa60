export interface Progress {
  at(done: number, text?: string): void
  end(): void
}

const width = 28

const bar = (done: number, total: number) => {
  const full = total === 0 ? width : Math.round((width * Math.min(done, total)) / total)
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`
}

/** A bar on a terminal, drawn at most ten times a second; nothing elsewhere. */
export const startProgress = (stream: NodeJS.WriteStream, total: number, show: (done: number) => string): Progress => {
  if (!stream.isTTY) return { at: () => {}, end: () => {} }
  let drawnAtMs = 0
  const draw = (done: number, text: string) => {
    const columns = stream.columns || 80
    stream.write(`\r\u001b[K${`${bar(done, total)} ${show(done)} ${text}`.slice(0, columns - 1)}`)
  }
  return {
    at(done, text = '') {
      const nowMs = Date.now()
      if (done < total && nowMs - drawnAtMs < 100) return
      drawnAtMs = nowMs
      draw(done, text)
    },
    end: () => void stream.write('\r\u001b[K'),
  }
}
