import { lazy, type ReactNode, Suspense, use, useEffect, useMemo, useState } from 'react'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import type { LibraryDocument } from '../documents.ts'
import type { LibraryStore } from '../store/library-store.ts'
import { UnreadableDocument } from '../text/unreadable-document.ts'
import { CsvTable } from './csv-table.tsx'
import { LongText } from './long-text.tsx'
import { MarkdownContext } from './markdown-context.ts'

const HtmlPage = lazy(() => import('./html-page.tsx').then((module) => ({ default: module.HtmlPage })))
const PdfView = lazy(() => import('../pdf/pdf-view.tsx'))

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
    read().catch((reason) => !isUnmounted && setFailure(reason))
    return () => {
      isUnmounted = true
    }
  }, [store, blobKey, format, attempt])

  if (failure !== undefined)
    return (
      <ErrorPanel title="Error loading document content" onRetry={() => setAttempt(attempt + 1)}>
        {describeFailure(failure)}
      </ErrorPanel>
    )
  const loadingView = (
    <SkeletonGroup label="Opening the document...">
      <Skeleton className="mb-3 h-4 w-2/3" />
      <Skeleton className="h-64" />
    </SkeletonGroup>
  )
  if (!content) return loadingView
  if (format === 'pdf')
    return (
      <Suspense fallback={loadingView}>
        <PdfView name={document.name} blob={content.blob} onFailed={setFailure} />
      </Suspense>
    )
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
    html: {
      title: 'Page',
      page: (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <HtmlPage html={text} name={name} />
        </Suspense>
      ),
    },
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

function describeFailure(failure: unknown): string {
  if (failure instanceof Error && failure.name === 'PdfLocked')
    return 'This PDF is locked with a password. Download it and open it with a PDF reader.'
  if (failure instanceof UnreadableDocument)
    return `${failure.message} Download it and open it with the program that created it.`
  return 'The file may be damaged, or its name may give the wrong type. The file is unchanged, so you can still download it.'
}
