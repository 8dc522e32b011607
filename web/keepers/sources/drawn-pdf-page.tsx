import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type OpenPdf, openPdf } from '#web/library/pdf/pdf-engine.ts'
import { PdfPage } from '#web/library/pdf/pdf-page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import '#web/library/pdf/pdf-text-layer.css'

interface DrawnPdfPageProps {
  number: number
  loadOriginal: () => Promise<Blob>
  onFailed: () => void
}

const portraitRatio = 1 / Math.SQRT2

/** A page as in its PDF. Its text can be selected and marked. */
export default function DrawnPdfPage({ number, loadOriginal, onFailed }: DrawnPdfPageProps) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [ratio, setRatio] = useState(portraitRatio)
  const [opened, setOpened] = useState<OpenPdf>()
  const handleRatio = useCallback((_: number, pageRatio: number) => setRatio(pageRatio), [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    let isUnmounted = false
    let close = () => {}
    async function open() {
      const original = await loadOriginal()
      if (isUnmounted) return
      const pdf = await openPdf(new Uint8Array(await original.arrayBuffer()))
      close = pdf.close
      if (isUnmounted) close()
      else setOpened(pdf)
    }
    open().catch(() => !isUnmounted && onFailed())
    return () => {
      isUnmounted = true
      close()
    }
  }, [loadOriginal, onFailed])
  return (
    <div ref={box} className="relative" style={{ aspectRatio: ratio }}>
      {opened && width > 0 ? (
        <PdfPage {...{ opened, number, width, ratio }} onRatio={handleRatio} />
      ) : (
        <Skeleton className="h-full" />
      )}
    </div>
  )
}
