/** The share of a channel in the relative luminance, from 0 to 255 (WCAG 2.2, "relative luminance", read 2026-11-27). */
const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** The relative luminance of a color, `#rrggbb`. */
const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors, `#rrggbb`, from 1 to 21 (WCAG 2.2, "contrast ratio", read 2026-11-27). */
export const contrastOf = (ground: string, text: string): number => {
  const [low = 0, high = 0] = [luminanceOf(ground), luminanceOf(text)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const texts = ['#ffffff', '#000000'] as const

/**
 * The style of a page with the color of a brand, `#rrggbb`, on its buttons. Their text is white or black, whichever has more
 * contrast: 4.58 or more on any color, above the 4.5 that WCAG 2.2 requires (1.4.3). Links and outlines keep colors that are
 * visible on the background of the page, and the button keeps a border.
 */
export const brandStyle = (color: string): string => {
  const [white, black] = texts
  const text = contrastOf(color, white) >= contrastOf(color, black) ? white : black
  return `.brand::before,button.main{background:${color}}button.main{border-color:var(--line);color:${text}}label.choice input{accent-color:${color}}`
}
