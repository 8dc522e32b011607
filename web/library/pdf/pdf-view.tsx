import { ChevronDown, ChevronUp, Minus, Plus } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { type OpenPdf, useOpenPdf } from './pdf-engine.ts'
import { PdfPage } from './pdf-page.tsx'
import './pdf-text-layer.css'

interface PdfViewProps {
  name: string
  blob: Blob
  onFailed: (reason: unknown) => void
}

export default function PdfView({ name, blob, onFailed }: PdfViewProps) {
  const load = useCallback(async () => blob, [blob])
  const openDocument = useOpenPdf(load, onFailed)
  if (!openDocument) return <SkeletonRows label="Opening the PDF..." rowClassName="h-[60dvh]" />
  return <PdfPages name={name} {...openDocument} />
}

const zoomLevels = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
const maxPageWidth = 860
const pageMargin = 16
/** Every page is a canvas, so a longer document would use more memory than a phone has. */
const maxPrintedPages = 60

function PdfPages({ name, pdfFile, ratio }: { name: string; pdfFile: OpenPdf; ratio: number }) {
  const { pdf } = pdfFile
  const box = useRef<HTMLDivElement>(null)
  const [availableWidth, setAvailableWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [ratios, setRatios] = useState<ReadonlyMap<number, number>>(() => new Map())
  const printing = usePrinting()
  const { visiblePages, currentPage } = useVisiblePages(box)
  const width = Math.round(Math.min(availableWidth, maxPageWidth) * zoom)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      // A new width would draw every page again, too late for the printout.
      if (!matchMedia('print').matches) setAvailableWidth(element.clientWidth - 2 * pageMargin)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const recordRatio = useCallback(
    (page: number, pageRatio: number) =>
      setRatios((previous) => (previous.get(page) === pageRatio ? previous : new Map(previous).set(page, pageRatio))),
    [],
  )

  function goTo(page: number) {
    const targetPage = Math.min(Math.max(page, 1), pdf.numPages)
    box.current?.querySelector(`[data-page="${targetPage}"]`)?.scrollIntoView({ block: 'start' })
  }
  function zoomTo(next: number | undefined) {
    if (next === undefined) return
    const page = currentPage
    flushSync(() => setZoom(next))
    goTo(page)
  }
  const largerZoom = zoomLevels.find((zoomLevel) => zoomLevel > zoom)
  const smallerZoom = zoomLevels.findLast((zoomLevel) => zoomLevel < zoom)

  function handleKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') zoomTo(largerZoom)
    else if (event.key === '-') zoomTo(smallerZoom)
    else if (event.key === '0') zoomTo(1)
    else if (event.key === 'Home') goTo(1)
    else if (event.key === 'End') goTo(pdf.numPages)
    else if (event.key === 'ArrowRight') goTo(currentPage + 1)
    else if (event.key === 'ArrowLeft') goTo(currentPage - 1)
    else return
    event.preventDefault()
  }

  return (
    <div className="overflow-hidden rounded-md border border-border">
      <div
        role="toolbar"
        data-chrome
        aria-label="Pages and zoom"
        className="flex flex-wrap items-center gap-1 border-b border-border bg-card px-2 py-1"
      >
        <IconButton
          label="Previous page"
          size="small"
          disabled={currentPage <= 1}
          onClick={() => goTo(currentPage - 1)}
        >
          <ChevronUp aria-hidden size={15} />
        </IconButton>
        <IconButton
          label="Next page"
          size="small"
          disabled={currentPage >= pdf.numPages}
          onClick={() => goTo(currentPage + 1)}
        >
          <ChevronDown aria-hidden size={15} />
        </IconButton>
        <PageNumber currentPage={currentPage} count={pdf.numPages} onPageChange={goTo} />
        <span className="grow" />
        <IconButton label="Zoom out" size="small" disabled={!smallerZoom} onClick={() => zoomTo(smallerZoom)}>
          <Minus aria-hidden size={15} />
        </IconButton>
        <Button size="small" variant="plain" title="Fit to width" onClick={() => zoomTo(1)}>
          {zoom * 100}%
        </Button>
        <IconButton label="Zoom in" size="small" disabled={!largerZoom} onClick={() => zoomTo(largerZoom)}>
          <Plus aria-hidden size={15} />
        </IconButton>
      </div>
      <section
        ref={box}
        aria-label={`${name}, ${pluralize(pdf.numPages, 'page')}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        onKeyDown={handleKeyDown}
        className="relative h-[calc(100dvh-330px)] min-h-64 overflow-auto bg-muted p-4 focus-visible:-outline-offset-2 print:h-auto print:p-0"
      >
        {width > 0 &&
          Array.from({ length: pdf.numPages }, (_, index) => index + 1).map((page) => {
            const pageRatio = ratios.get(page) ?? ratio
            return (
              <div
                key={page}
                data-page={page}
                className="mx-auto mb-3.5 scroll-mt-3.5 break-inside-avoid print:h-auto! print:w-full!"
                style={{ width, height: Math.round(width / pageRatio) }}
              >
                {(visiblePages.has(page) || (printing && page <= maxPrintedPages)) && (
                  <PdfPage pdfFile={pdfFile} number={page} width={width} ratio={pageRatio} onRatio={recordRatio} />
                )}
              </div>
            )
          })}
      </section>
    </div>
  )
}

function useVisiblePages(box: RefObject<HTMLElement | null>) {
  const [visiblePages, setVisiblePages] = useState<ReadonlySet<number>>(() => new Set())
  const [currentPage, setCurrentPage] = useState(1)
  useEffect(() => {
    const root = box.current
    if (!root) return
    const getPageNumber = (element: Element) => Number((element as HTMLElement).dataset.page)
    const nearObserver = new IntersectionObserver(
      (entries) =>
        setVisiblePages((previous) => {
          const next = new Set(previous)
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) next.add(getPageNumber(target))
            else next.delete(getPageNumber(target))
          }
          return next
        }),
      { root, rootMargin: '60% 0px' },
    )
    const middleObserver = new IntersectionObserver(
      (entries) => {
        const middleEntry = entries.find(({ isIntersecting }) => isIntersecting)
        if (middleEntry) setCurrentPage(getPageNumber(middleEntry.target))
      },
      { root, rootMargin: '-45% 0px' },
    )
    const observePages = () => {
      for (const page of root.querySelectorAll('[data-page]')) {
        nearObserver.observe(page)
        middleObserver.observe(page)
      }
    }
    observePages()
    // Pages render once the container's width is known.
    const pageObserver = new MutationObserver(observePages)
    pageObserver.observe(root, { childList: true })
    return () => {
      nearObserver.disconnect()
      middleObserver.disconnect()
      pageObserver.disconnect()
    }
  }, [box])
  return { visiblePages, currentPage }
}

function PageNumber({
  currentPage,
  count,
  onPageChange,
}: {
  currentPage: number
  count: number
  onPageChange: (page: number) => void
}) {
  const [typedPage, setTypedPage] = useState(String(currentPage))
  useEffect(() => setTypedPage(String(currentPage)), [currentPage])
  function submitPage(event: FormEvent) {
    event.preventDefault()
    const page = Number.parseInt(typedPage, 10)
    if (Number.isNaN(page)) setTypedPage(String(currentPage))
    else onPageChange(page)
  }
  return (
    <form onSubmit={submitPage} className="flex items-center gap-1.5 text-small text-muted-foreground">
      <label className="flex items-center gap-1.5">
        Page
        <input
          inputMode="numeric"
          value={typedPage}
          onChange={(event) => setTypedPage(event.currentTarget.value)}
          onBlur={() => setTypedPage(String(currentPage))}
          className="h-7 w-12 rounded-sm border border-input bg-card px-1.5 text-center text-foreground tabular-nums phone:h-[2.125rem]"
        />
      </label>
      of {count}
    </form>
  )
}
