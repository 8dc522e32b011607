import { TextLayer } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import type { OpenPdf, PDFPageProxy } from './pdf-engine.ts'

interface PdfPageProps {
  pdfFile: OpenPdf
  number: number
  width: number
  ratio: number
  onRatio: (number: number, ratio: number) => void
}

/** Some phones refuse larger canvases. */
const maxCanvasPixels = 16_000_000
const maxPixelRatio = 2

const missingPictureText = 'A picture on this page can’t be shown here.'
const missingLettersText = 'Some letters on this page can’t be shown offline. Open it again when you’re online.'

export function PdfPage({ pdfFile, number, width, ratio, onRatio }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const textLayer = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(1)
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  const [missingText, setMissingText] = useState<string>()

  useEffect(() => {
    let isCancelled = false
    let cancelDrawing = () => {}
    async function draw() {
      const page = await pdfFile.pdf.getPage(number)
      const isPictureMissing = await pdfFile.drawPage(page, () => drawPage(page))
      if (isCancelled) return
      const lettersText = pdfFile.lacksFiles() ? missingLettersText : undefined
      setMissingText(isPictureMissing ? missingPictureText : lettersText)
      setState('drawn')
    }
    async function drawPage(page: PDFPageProxy) {
      if (isCancelled || !canvas.current || !textLayer.current) return
      const fullViewport = page.getViewport({ scale: 1 })
      onRatio(number, fullViewport.width / fullViewport.height)
      const displayScale = width / fullViewport.width
      setScale(displayScale)
      const pixelRatio = Math.min(globalThis.devicePixelRatio || 1, maxPixelRatio)
      const density = Math.min(
        pixelRatio,
        Math.sqrt(maxCanvasPixels / (fullViewport.width * fullViewport.height)) / displayScale,
      )
      const viewport = page.getViewport({ scale: displayScale * density })
      canvas.current.width = Math.round(viewport.width)
      canvas.current.height = Math.round(viewport.height)
      const drawing = page.render({ canvas: canvas.current, viewport })
      textLayer.current.replaceChildren()
      const layer = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: textLayer.current,
        viewport: page.getViewport({ scale: displayScale }),
      })
      cancelDrawing = () => {
        drawing.cancel()
        layer.cancel()
      }
      await Promise.all([drawing.promise, layer.render()])
    }
    setState('drawing')
    draw().catch(() => {
      // Stopped drawings were scrolled away or resized; others failed.
      if (!isCancelled) setState('failed')
    })
    return () => {
      isCancelled = true
      cancelDrawing()
    }
  }, [pdfFile, number, width, onRatio])

  return (
    <section
      aria-label={`Page ${number}`}
      aria-busy={state === 'drawing'}
      className="relative h-full overflow-hidden print:h-auto bg-[#ffffff] text-[#000000] shadow-e1"
      style={{ aspectRatio: ratio, ['--total-scale-factor' as string]: scale }}
    >
      {state === 'failed' && <p className="p-6 text-ui">This page can’t be displayed.</p>}
      <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
      <div ref={textLayer} className="pdf-text" />
      {state === 'drawn' && missingText && (
        <p className="absolute inset-x-0 top-0 border-b border-[#00000026] bg-[#ffffffe6] px-3 py-1.5 text-small">
          {missingText}
        </p>
      )}
      {state === 'drawing' && <Skeleton className="absolute inset-x-8 top-8 h-4 opacity-40" />}
    </section>
  )
}
