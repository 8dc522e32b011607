import { type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { LibraryDocument } from '../documents.ts'
import type { LibraryStore } from '../store/library-store.ts'
import { parseCsv } from '../text/parse-csv.ts'
import { UnreadableDocument } from '../text/unreadable-document.ts'
import { MarkdownContext } from './markdown-context.ts'

const maxRows = 50_000
const maxColumns = 60
/** Rows that decide the number of columns. */
const sampledRows = 1000
const pageSize = 200
const extraPageSize = 1000
const maxPrintedRows = 5000

/** Cells are plain text: no formulas, links or markup. */
function CsvTable({ text, label }: { text: string; label: string }) {
  const [headerRow = [], ...rows] = useMemo(() => parseCsv(text, maxRows + 1), [text])
  const [rowLimit, setRowLimit] = useState(pageSize)
  const visibleRowCount = usePrinting() ? Math.max(rowLimit, maxPrintedRows) : rowLimit
  const columnCount = Math.min(
    maxColumns,
    Math.max(headerRow.length, ...rows.slice(0, sampledRows).map((row) => row.length)),
  )
  if (headerRow.length === 0)
    return <p className="py-6 text-center text-ui text-muted-foreground">This document is empty.</p>
  const toCells = (row: string[]) => Array.from({ length: columnCount }, (_, index) => row[index] ?? '')
  const isTruncated = headerRow.length > maxColumns || rows.length >= maxRows
  return (
    <>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-[calc(100dvh-290px)] min-h-40 overflow-auto rounded-md border border-border bg-card focus-visible:-outline-offset-2"
      >
        <table aria-label={label} className="border-collapse text-ui">
          <thead>
            <tr>
              {toCells(headerRow).map((cell, index) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by index
                  key={index}
                  scope="col"
                  className="sticky top-0 border-b border-border bg-muted px-3 py-1.5 text-start font-label whitespace-nowrap"
                >
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, visibleRowCount).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by index
              <tr key={index} className="border-b border-hairline last:border-0">
                {toCells(row).map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by index
                  <td key={column} className="max-w-96 px-3 py-1.5 align-top wrap-anywhere">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="mt-2 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
        {visibleRowCount < rows.length && (
          <Button size="small" onClick={() => setRowLimit(rowLimit + extraPageSize)}>
            Show more
          </Button>
        )}
        {Math.min(visibleRowCount, rows.length).toLocaleString('en-US')} of {pluralize(rows.length, 'row')}
        {isTruncated &&
          `. The table shows the first ${maxRows.toLocaleString('en-US')} rows and ${maxColumns} columns; choose Text to see everything.`}
      </div>
    </>
  )
}

const partLength = 100_000
const maxPrintedParts = 20

/** Renders in parts: a document may have fifty million characters. */
function LongText({ text, label }: { text: string; label: string }) {
  const [partCount, setPartCount] = useState(1)
  const visiblePartCount = usePrinting() ? Math.max(partCount, maxPrintedParts) : partCount
  const visibleText = text.slice(0, visiblePartCount * partLength)
  if (text === '') return <p className="py-6 text-center text-ui text-muted-foreground">This document is empty.</p>
  return (
    <>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="document"
        aria-label={label}
        className="max-h-[calc(100dvh-290px)] min-h-40 overflow-auto rounded-md border border-border bg-card px-4 py-3 font-mono text-code wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {visibleText}
      </pre>
      {visibleText.length < text.length && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
          <Button size="small" onClick={() => setPartCount(partCount + 1)}>
            Show more
          </Button>
          {Math.floor((visibleText.length / text.length) * 100)}% of the text is shown.
        </div>
      )}
    </>
  )
}

const loadingView = (
  <SkeletonGroup label="Opening the document...">
    <Skeleton className="mb-3 h-4 w-2/3" />
    <Skeleton className="h-64" />
  </SkeletonGroup>
)
const HtmlPage = lazyComponent(async () => (await import('./html-page.tsx')).HtmlPage, <Skeleton className="h-64" />)
const PdfView = lazyComponent(async () => (await import('../pdf/pdf-view.tsx')).default, loadingView)

interface DocumentContentProps {
  store: LibraryStore
  document: LibraryDocument
}

/** Documents are never executed, and their external references never loaded. */
export function DocumentContent({ store, document }: DocumentContentProps) {
  const [content, setContent] = useState<{ blob: Blob; text: string }>()
  const [failure, setFailure] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const { blobKey, format } = document

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers another read
  useEffect(() => {
    let isUnmounted = false
    setFailure(undefined)
    async function read() {
      const blob = await store.readBytes({ blobKey })
      const { readDocumentText } = await import('../text/read-document.ts')
      const text = format === 'pdf' ? '' : readDocumentText(new Uint8Array(await blob.arrayBuffer()), format)
      if (!isUnmounted) setContent({ blob, text })
    }
    read().catch((reason) => {
      if (!isUnmounted) setFailure(reason)
    })
    return () => {
      isUnmounted = true
    }
  }, [store, blobKey, format, attempt])

  if (failure !== undefined)
    return (
      <ErrorPanel title="Error loading document content" onRetry={() => setAttempt(attempt + 1)}>
        {describeReadFailure(failure)}
      </ErrorPanel>
    )
  if (!content) return loadingView
  if (format === 'pdf') return <PdfView name={document.name} blob={content.blob} onFailed={setFailure} />
  return <TextContent name={document.name} format={format} text={content.text} />
}

type DocumentView = 'page' | 'text'
/** Longer Markdown and JSON is shown as plain text. */
const maxMarkdownLength = 300_000
const maxJsonLength = 5_000_000

function TextContent({ name, format, text }: { name: string; format: LibraryDocument['format']; text: string }) {
  const Markdown = use(MarkdownContext)
  const [openView, setOpenView] = useState<DocumentView>('page')
  const indented = useMemo(() => (format === 'json' ? formatJson(text) : undefined), [format, text])
  const plainView = <LongText text={text} label={`Text of ${name}`} />
  const pages: Partial<Record<LibraryDocument['format'], { title: string; page: ReactNode }>> = {
    markdown: {
      title: 'Page',
      page:
        text.length > maxMarkdownLength ? (
          <>
            <Banner tone="info" className="mb-3">
              This document is too long to show as a page, so you see its text.
            </Banner>
            {plainView}
          </>
        ) : (
          <div className="font-serif text-read">
            <Markdown text={text} />
          </div>
        ),
    },
    html: { title: 'Page', page: <HtmlPage html={text} name={name} /> },
    csv: { title: 'Table', page: <CsvTable text={text} label={`Table of ${name}`} /> },
    json: {
      title: 'Indented',
      page:
        indented === undefined ? (
          <>
            <Banner tone="warning" className="mb-3">
              {text.length > maxJsonLength
                ? 'This document is too long to indent, so it’s shown as is.'
                : 'This document isn’t valid JSON, so it’s shown as is.'}
            </Banner>
            {plainView}
          </>
        ) : (
          <LongText text={indented} label={`${name}, indented`} />
        ),
    },
  }
  const page = pages[format]
  if (!page) return plainView
  return (
    <>
      <SegmentedControl<DocumentView>
        label="Show as"
        className="mb-3"
        options={[
          { value: 'page', label: page.title },
          { value: 'text', label: 'Text' },
        ]}
        value={openView}
        onValueChange={setOpenView}
      />
      {openView === 'page' ? page.page : plainView}
    </>
  )
}

function formatJson(text: string): string | undefined {
  if (text.length > maxJsonLength) return undefined
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined
  }
}

function describeReadFailure(failure: unknown): string {
  if (failure instanceof Error && failure.name === 'PdfLocked')
    return 'This PDF is locked with a password. Download it and open it with a PDF reader.'
  if (failure instanceof UnreadableDocument)
    return `${failure.message} Download it and open it with the program that created it.`
  return 'The file may be damaged, or its name may give the wrong type. The file is unchanged, so you can still download it.'
}
