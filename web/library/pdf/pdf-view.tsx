import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronUp, Minus, Plus } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { openPdf, type PDFDocumentProxy } from './pdf-engine.ts'
import { PdfPage } from './pdf-page.tsx'
import './pdf-text-layer.css'

interface PdfViewProps {
  name: string
  blob: Blob
  onFailed: (reason: unknown) => void
}

/** A PDF drawn here, page by page; only the pages in sight. */
export default function PdfView({ name, blob, onFailed }: PdfViewProps) {
  const [open, setOpen] = useState<{ pdf: PDFDocumentProxy; ratio: number }>()
  useEffect(() => {
    let left = false
    let close = () => {}
    async function load() {
      const opened = await openPdf(new Uint8Array(await blob.arrayBuffer()))
      close = opened.close
      if (left) return close()
      const { width, height } = (await opened.pdf.getPage(1)).getViewport({ scale: 1 })
      if (!left) setOpen({ pdf: opened.pdf, ratio: width / height })
    }
    load().catch((reason) => !left && onFailed(reason))
    return () => {
      left = true
      close()
    }
  }, [blob, onFailed])
  if (!open)
    return (
      <SkeletonGroup label="Opening the PDF...">
        <Skeleton className="h-[60dvh]" />
      </SkeletonGroup>
    )
  return <Pages name={name} {...open} />
}

const gap = 14
const margin = 16
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]

function Pages({ name, pdf, ratio }: { name: string; pdf: PDFDocumentProxy; ratio: number }) {
  const box = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState(0)
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setAvailable(element.clientWidth - 2 * margin))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const width = Math.round(Math.min(available, 860) * zoom)
  const virtual = useVirtualizer({
    count: width > 0 ? pdf.numPages : 0,
    getScrollElement: () => box.current,
    estimateSize: () => Math.round(width / ratio),
    getItemKey: (index) => `${index} ${width}`,
    overscan: 1,
    gap,
    paddingStart: margin,
    paddingEnd: margin,
  })
  const items = virtual.getVirtualItems()
  const middle = (virtual.scrollOffset ?? 0) + (box.current?.clientHeight ?? 0) / 2
  const present = (items.find(({ end }) => end >= middle)?.index ?? 0) + 1

  const goTo = (page: number) =>
    virtual.scrollToIndex(Math.min(Math.max(page, 1), pdf.numPages) - 1, { align: 'start' })
  function zoomTo(next: number | undefined) {
    if (next === undefined) return
    const page = present
    setZoom(next)
    // Once the pages have their new size.
    setTimeout(() => goTo(page), 0)
  }
  const larger = zooms.find((each) => each > zoom)
  const smaller = zooms.findLast((each) => each < zoom)

  function keyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') zoomTo(larger)
    else if (event.key === '-') zoomTo(smaller)
    else if (event.key === '0') zoomTo(1)
    else if (event.key === 'Home') goTo(1)
    else if (event.key === 'End') goTo(pdf.numPages)
    else if (event.key === 'ArrowRight') goTo(present + 1)
    else if (event.key === 'ArrowLeft') goTo(present - 1)
    else return
    event.preventDefault()
  }

  return (
    <div className="overflow-hidden rounded-md border border-border">
      <div
        role="toolbar"
        aria-label="Pages and size"
        className="flex flex-wrap items-center gap-1 border-b border-border bg-card px-2 py-1"
      >
        <IconButton label="Previous page" size="small" disabled={present <= 1} onClick={() => goTo(present - 1)}>
          <ChevronUp aria-hidden size={15} />
        </IconButton>
        <IconButton label="Next page" size="small" disabled={present >= pdf.numPages} onClick={() => goTo(present + 1)}>
          <ChevronDown aria-hidden size={15} />
        </IconButton>
        <PageNumber present={present} count={pdf.numPages} onGo={goTo} />
        <span className="grow" />
        <IconButton label="Smaller" size="small" disabled={!smaller} onClick={() => zoomTo(smaller)}>
          <Minus aria-hidden size={15} />
        </IconButton>
        <Button
          size="small"
          variant="plain"
          aria-label={`Size ${zoom * 100} %, fit the width`}
          onClick={() => zoomTo(1)}
        >
          {zoom * 100} %
        </Button>
        <IconButton label="Larger" size="small" disabled={!larger} onClick={() => zoomTo(larger)}>
          <Plus aria-hidden size={15} />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of a box that scrolls */}
      <section
        ref={box}
        aria-label={`${name}, ${pdf.numPages === 1 ? '1 page' : `${pdf.numPages} pages`}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={keyDown}
        className="h-[calc(100dvh-330px)] min-h-64 overflow-auto bg-muted focus-visible:-outline-offset-2"
      >
        <div style={{ position: 'relative', height: virtual.getTotalSize(), minWidth: width + 2 * margin }}>
          {items.map(({ index, key, start }) => (
            <div
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start}px)` }}
            >
              <PdfPage pdf={pdf} number={index + 1} width={width} usualRatio={ratio} />
            </div>
          ))}
        </div>
      </section>
    </div>
  )
}

function PageNumber({ present, count, onGo }: { present: number; count: number; onGo: (page: number) => void }) {
  const [typed, setTyped] = useState(String(present))
  useEffect(() => setTyped(String(present)), [present])
  function go(event: FormEvent) {
    event.preventDefault()
    const page = Number.parseInt(typed, 10)
    if (Number.isNaN(page)) setTyped(String(present))
    else onGo(page)
  }
  return (
    <form onSubmit={go} className="flex items-center gap-1.5 text-small text-muted-foreground">
      <label className="flex items-center gap-1.5">
        Page
        <input
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => setTyped(String(present))}
          className="h-7 w-12 rounded-sm border border-input bg-card px-1.5 text-center text-foreground tabular-nums phone:h-[34px]"
        />
      </label>
      of {count}
    </form>
  )
}
