import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useOpenPdf } from '#web/library/pdf/pdf-engine.ts'
import { PdfPage } from '#web/library/pdf/pdf-page.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import '#web/library/pdf/pdf-text-layer.css'

interface DrawnPdfPageProps {
  number: number
  loadOriginal: () => Promise<Blob>
  onFailed: () => void
}

const portraitRatio = 1 / Math.SQRT2

/** A page as in its PDF. Its text can be selected and marked. */
export function DrawnPdfPage({ number, loadOriginal, onFailed }: DrawnPdfPageProps) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [pageRatio, setPageRatio] = useState<number>()
  const openDocument = useOpenPdf(loadOriginal, onFailed)
  const ratio = pageRatio ?? openDocument?.ratio ?? portraitRatio
  const handleRatio = useCallback((_: number, drawnRatio: number) => setPageRatio(drawnRatio), [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className="relative" style={{ aspectRatio: ratio }}>
      {openDocument && width > 0 ? (
        <PdfPage pdfFile={openDocument.pdfFile} number={number} width={width} ratio={ratio} onRatio={handleRatio} />
      ) : (
        <Skeleton className="h-full" />
      )}
    </div>
  )
}
