import { useRef, useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import { say } from '../service.ts'
import type { Asset } from './asset.tsx'

/** Shapes that platforms show, as width divided by height. */
const shapes = {
  Square: 1,
  'Portrait (4:5)': 4 / 5,
  'Tall (9:16)': 9 / 16,
  'Wide (16:9)': 16 / 9,
  'Link (1.91:1)': 1.91,
}
type ShapeName = keyof typeof shapes

/** Types that browsers can write as well. */
const croppable: readonly string[] = ['image/jpeg', 'image/png', 'image/webp']

export const canCrop = (asset: Asset | undefined): asset is Asset =>
  asset !== undefined && croppable.includes(asset.mimeType)

/** The longest side of a cropped image, in pixels: Safari draws none with more than 16,777,216 of them. */
const maxSide = 4_096

interface Position {
  /** 1 shows as much of the image as fits. */
  zoom: number
  /** How far to the right and down, in percent of the way. */
  x: number
  y: number
}

/** The part of an image at a position, as a file of the same type; undefined if the browser cannot write it. */
const cut = async (image: HTMLImageElement, ratio: number, { zoom, x, y }: Position, asset: Asset) => {
  const { naturalWidth, naturalHeight } = image
  const width = Math.min(naturalWidth, naturalHeight * ratio) / zoom
  const height = width / ratio
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const [left, top] = [((naturalWidth - width) * x) / 100, ((naturalHeight - height) * y) / 100]
  canvas.getContext('2d')?.drawImage(image, left, top, width, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, asset.mimeType, 0.92))
  const name = asset.originalFilename.replace(/(\.\w+)?$/, '-cropped$1')
  return blob === null ? undefined : new File([blob], name, { type: asset.mimeType })
}

const within = (percent: number) => Math.min(100, Math.max(0, percent))

interface SliderProps {
  name: string
  value: number
  min?: number
  max: number
  onChange: (value: number) => void
}

const Slider = ({ name, value, min = 0, max, onChange }: SliderProps) => (
  <label>
    {name}
    <input
      type="range"
      min={min}
      max={max}
      step="any"
      value={value}
      onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      // Enter would send the form that the window is in.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  </label>
)

interface CropProps {
  asset: Asset
  onDone: (file: File) => void
  onClose: () => void
}

/** Cuts an image to a shape. The file in the library stays; the result is another file. */
export const Crop = ({ asset, onDone, onClose }: CropProps) => {
  const image = useRef<HTMLImageElement>(null)
  const [shape, setShape] = useState<ShapeName>('Square')
  const [position, setPosition] = useState<Position>({ zoom: 1, x: 50, y: 50 })
  const [isLoaded, setIsLoaded] = useState(false)
  const ratio = shapes[shape]
  const { zoom, x, y } = position
  const move = (change: Partial<Position>) => setPosition({ ...position, ...change })

  const onPointerMove = ({ buttons, movementX, movementY, currentTarget }: PointerEvent) => {
    if (buttons !== 1 || image.current === null || !(currentTarget instanceof HTMLElement)) return
    const { naturalWidth, naturalHeight } = image.current
    const { clientWidth, clientHeight } = currentTarget
    const scale = Math.max(clientWidth / naturalWidth, clientHeight / naturalHeight) * zoom
    const share = (moved: number, whole: number, shown: number) =>
      whole - shown < 1 ? 0 : (100 * moved) / (whole - shown)
    move({
      x: within(x - share(movementX, naturalWidth * scale, clientWidth)),
      y: within(y - share(movementY, naturalHeight * scale, clientHeight)),
    })
  }

  const save = async () => {
    const file = image.current === null ? undefined : await cut(image.current, ratio, position, asset)
    if (file === undefined) say('This browser can’t crop the image.', { isBad: true })
    else {
      onDone(file)
      onClose()
    }
  }

  return (
    <Dialog title={`Crop ${asset.originalFilename}`} onClose={onClose}>
      <div class="crop" style={{ aspectRatio: String(ratio) }} onPointerMove={onPointerMove}>
        <img
          ref={image}
          // Another address than that of the images on the page, which a browser has stored without CORS headers.
          src={`${asset.url}?crop`}
          crossOrigin="anonymous"
          alt={asset.altText ?? ''}
          draggable={false}
          onLoad={() => setIsLoaded(true)}
          onError={() => say('Couldn’t load the image.', { isBad: true })}
          style={{
            objectPosition: `${x}% ${y}%`,
            transform: `scale(${zoom})`,
            transformOrigin: `${x}% ${y}%`,
          }}
        />
      </div>
      <label>
        Shape
        <select value={shape} onChange={({ currentTarget }) => setShape(currentTarget.value as ShapeName)}>
          {Object.keys(shapes).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Slider name="Zoom" value={zoom} min={1} max={4} onChange={(value) => move({ zoom: value })} />
      <Slider name="Left to right" value={x} max={100} onChange={(value) => move({ x: value })} />
      <Slider name="Top to bottom" value={y} max={100} onChange={(value) => move({ y: value })} />
      <div class="actions">
        <button type="button" class="main" disabled={!isLoaded} onClick={save}>
          Crop
        </button>
      </div>
    </Dialog>
  )
}
