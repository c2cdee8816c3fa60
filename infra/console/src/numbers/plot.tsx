import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'

/** The address of the library (../../build.ts). */
declare const PLOT: string

export interface Series {
  name: string
  /** A custom property of the style sheet, such as `--good`. */
  color: string
  values: readonly (number | null)[]
}

interface PlotProps {
  label: string
  days: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  /** Each step of the scale is ten times the one before. */
  isLogarithmic?: boolean
}

const heightPixels = 220
const daySeconds = 86_400
/** Steps of a scale of counts: there is no half of a post. */
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
const isDark = matchMedia('(prefers-color-scheme: dark)')

const optionsOf = (
  Library: typeof uPlot,
  width: number,
  { series, format, isLogarithmic = false }: PlotProps,
): uPlot.Options => {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const axis = { stroke: color('--soft'), grid: { stroke: color('--edge'), width: 1 }, ticks: { show: false } }
  return {
    width,
    height: heightPixels,
    tzDate: (seconds) => Library.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: {
      y: isLogarithmic ? { distr: 3 } : { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      { ...axis, space: 70, incrs: [1, 2, 7, 14, 28, 91, 182].map((days) => days * daySeconds), values: '{MMM} {D}' },
      {
        ...axis,
        size: 70,
        ...(isLogarithmic ? {} : { incrs: wholeSteps }),
        values: (_plot, values) => values.map((value) => (value === null ? '' : format(value))),
      },
    ],
    series: [
      { value: '{MMM} {D}' },
      ...series.map(({ name, color: own }) => ({
        label: name,
        stroke: color(own),
        width: 2,
        points: { show: true, size: 6, fill: color(own) },
        value: (_plot: uPlot, value: number | null) => (value === null ? '—' : format(value)),
      })),
    ],
  }
}

/** Lines over days. A day without a value is a gap, and not 0. The table beside it has the same numbers. */
export const Plot = (props: PlotProps) => {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = container.current
    if (target === null) return undefined
    const seconds = props.days.map((day) => Date.parse(day) / 1_000)
    // An empty day on both sides, so that a single day has a place. A logarithmic scale has no 0.
    const data = [
      [(seconds.at(0) ?? 0) - daySeconds, ...seconds, (seconds.at(-1) ?? 0) + daySeconds],
      ...props.series.map(({ values }) => [
        null,
        ...values.map((value) => (value === 0 && props.isLogarithmic ? 1 : value)),
        null,
      ]),
    ]
    let plot: uPlot | undefined
    let isGone = false
    const draw = async () => {
      const { default: Library }: { default: typeof uPlot } = await import(PLOT)
      if (isGone) return
      plot?.destroy()
      plot = new Library(optionsOf(Library, target.clientWidth, props), data as uPlot.AlignedData, target)
    }
    void draw()
    const resizing = new ResizeObserver(() => plot?.setSize({ width: target.clientWidth, height: heightPixels }))
    resizing.observe(target)
    isDark.addEventListener('change', draw)
    return () => {
      isGone = true
      resizing.disconnect()
      isDark.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [JSON.stringify(props)])
  return (
    <div ref={container} class="plot" role="img" aria-label={`${props.label}; the table below has the same numbers`} />
  )
}
