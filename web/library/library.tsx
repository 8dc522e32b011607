import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { saveFile } from '#web/files/save-file.ts'
import { isQuotaExceeded } from '#web/offline/database-connection.ts'
import { listLayoutOptions, useListLayout } from '#web/offline/use-stored-setting.ts'
import { changeParams } from '#web/page/use-address-params.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { DocumentCollection } from './document-collection.tsx'
import type { DocumentActions } from './document-item.tsx'
import { EditDialog } from './document-item.tsx'
import type { DocumentInfo, LibraryDocument } from './documents.ts'
import { formatDocumentCount } from './documents.ts'
import { DropZone } from './drop-zone.tsx'
import { findDocuments, type TypeFilter } from './search-documents.ts'
import { DeleteDocuments, SelectionBar } from './selection-bar.tsx'
import { openLibrary } from './store/library-store.ts'
import { StorageUsage, UploadRows } from './upload-rows.tsx'
import { useLibrary, useServerCopies } from './use-library.ts'
import { useTextIndexing, useTextSearch } from './use-text-search.ts'
import { type Upload, useDocumentUploads } from './use-uploads.ts'

const ViewDialog = lazyComponent(async () => (await import('./view/view-dialog.tsx')).ViewDialog)

const KeepDialog = lazyComponent(async () => (await import('./keep-dialog.tsx')).KeepDialog)

const filters: { value: TypeFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'pdf', label: 'PDF' },
  { value: 'json', label: 'JSON' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'text', label: 'Text' },
  { value: 'other', label: 'Other' },
]
const noIds: ReadonlySet<string> = new Set()
/** Extracted texts after which an open search is repeated. */
const textsPerSearch = 100

interface LibraryProps {
  personId: string
  /** Undefined while loading. */
  keepers: Keeper[] | undefined
}

export function Library({ personId, keepers }: LibraryProps) {
  const {
    store,
    documents: storedDocuments,
    isStorageBlocked,
    storageSpace,
    refresh,
  } = useLibrary(openLibrary(personId))
  const { uploads, add, retry, uploadAnyway, dismiss } = useDocumentUploads(store)
  const documents = useUploadedDocuments(storedDocuments, uploads)
  const unreadCount = useTextIndexing(store, documents)
  const [query, setQuery] = useState('')
  const [typeFilter, setTypeFilter] = useState<TypeFilter>('all')
  const [layout, setLayout] = useListLayout('keeper-library-layout')
  const [selectedIds, setSelectedIds] = useState(noIds)
  const [documentToEdit, setDocumentToEdit] = useState<LibraryDocument>()
  const [documentToKeep, setDocumentToKeep] = useState<LibraryDocument>()
  const findServerCopy = useServerCopies()
  const [documentsToDelete, setDocumentsToDelete] = useState<LibraryDocument[]>()
  const [searchParams, setSearchParams] = useSearchParams()
  const listRef = useRef<HTMLElement>(null)

  const refreshKey = unreadCount === 0 ? documents : Math.ceil(unreadCount / textsPerSearch)
  const { matches, isSearching } = useTextSearch(store, documents, query, refreshKey)
  const visibleDocuments = useMemo(
    () => findDocuments(documents ?? [], { query, type: typeFilter, inText: matches }),
    [documents, query, typeFilter, matches],
  )
  const openedDocument = documents?.find(({ id }) => id === searchParams.get('document'))
  const isFiltered = query.trim() !== '' || typeFilter !== 'all'

  const isUploadRequested = searchParams.has('upload')
  useEffect(() => {
    if (!isUploadRequested) return
    document.querySelector<HTMLElement>('main [aria-keyshortcuts="N"]')?.focus()
    setSearchParams({}, { replace: true })
  }, [isUploadRequested, setSearchParams])

  useEffect(() => {
    if (!documents) return
    const existingIds = new Set(documents.map(({ id }) => id))
    setSelectedIds((previous) => {
      const remainingIds = [...previous].filter((id) => existingIds.has(id))
      return remainingIds.length === previous.size ? previous : new Set(remainingIds)
    })
  }, [documents])

  const openDocument = useCallback(
    (id: string | null) => setSearchParams((previous) => changeParams(previous, { document: id })),
    [setSearchParams],
  )
  const actions = useMemo<DocumentActions>(
    () => ({
      onView: ({ id }) => openDocument(id),
      onEdit: setDocumentToEdit,
      onKeep: setDocumentToKeep,
      onDelete: (document) => setDocumentsToDelete([document]),
      onSelect: (id, isSelected) =>
        setSelectedIds(
          (previous) =>
            new Set(isSelected ? [...previous, id] : [...previous].filter((selectedId) => selectedId !== id)),
        ),
    }),
    [openDocument],
  )

  async function save(id: string, info: DocumentInfo): Promise<string | undefined> {
    try {
      const saved = await store.change(id, info)
      return saved ? undefined : 'This document was deleted in another tab. Undo the deletion there, or cancel.'
    } catch (reason) {
      return isQuotaExceeded(reason)
        ? 'This browser is out of space. Delete some documents and save again.'
        : 'The document couldn’t be saved.'
    }
  }

  const exportZip = useMutation({
    mutationFn: async (selection: readonly LibraryDocument[]) => {
      const { zipDocuments } = await import('./zip/zip-documents.ts')
      const exportedAt = new Date().toISOString()
      const file = await zipDocuments(selection, (document) => store.readBytes(document), exportedAt)
      saveFile(file, `keeper-documents-${exportedAt.slice(0, 10)}.zip`)
    },
  })

  function renderDocuments() {
    if (isStorageBlocked)
      return (
        <ErrorPanel title="This browser blocks access to your documents" onRetry={refresh}>
          In a private window, or with site data blocked, nothing can be stored. Documents you added before aren’t
          affected.
        </ErrorPanel>
      )
    if (!documents || (visibleDocuments.length === 0 && isSearching)) return <LibrarySkeleton />
    if (visibleDocuments.length === 0)
      return (
        <EmptyPanel
          title="No documents found"
          action={
            isFiltered && (
              <Button
                onClick={() => {
                  setQuery('')
                  setTypeFilter('all')
                }}
              >
                Show all
              </Button>
            )
          }
        >
          {isFiltered
            ? 'No names, descriptions, tags or texts match.'
            : 'PDFs, notes and exports you add can be read and searched here.'}
        </EmptyPanel>
      )
    return (
      <DocumentCollection
        documents={visibleDocuments}
        layout={layout}
        excerpts={matches}
        selectedIds={selectedIds}
        findServerCopy={findServerCopy}
        actions={actions}
      />
    )
  }

  return (
    <>
      <PageHeader
        title="Documents"
        subtitle="Documents stay in this browser, even after you sign out. One is sent to the server only if you choose to keep it there."
        actions={
          documents &&
          documents.length > 0 && (
            <Button busy={exportZip.isPending} busyLabel="Exporting..." onClick={() => exportZip.mutate(documents)}>
              Export all
            </Button>
          )
        }
      />
      <DropZone onFiles={add}>
        <UploadRows uploads={uploads} onRetry={retry} onUploadAnyway={uploadAnyway} onDismiss={dismiss} />
      </DropZone>
      <StorageUsage space={storageSpace} />
      {exportZip.error && (
        <Banner tone="error" className="mt-4" onDismiss={exportZip.reset}>
          {`The documents couldn’t be exported. ${exportZip.error instanceof RangeError ? exportZip.error.message : 'Select fewer and try again. Nothing was changed.'}`}
        </Banner>
      )}

      <div className="mt-5 mb-4 flex flex-wrap items-center gap-3">
        <SearchField
          label="Search documents"
          placeholder="Search name, description, tag or text"
          value={query}
          onValueChange={setQuery}
          className="w-75 phone:w-full"
        />
        <FilterChips
          label="Type"
          options={filters}
          value={typeFilter}
          onValueChange={setTypeFilter}
          className="flex-1 phone:basis-full"
        />
        <SegmentedControl label="Layout" options={listLayoutOptions} value={layout} onValueChange={setLayout} />
      </div>
      <p role="status" className={isFiltered || unreadCount > 0 ? 'mb-3 text-small text-muted-foreground' : 'sr-only'}>
        {isSearching ? 'Searching...' : isFiltered && documents && formatResultCount(visibleDocuments.length)}
        {unreadCount > 0 && ` Reading ${formatDocumentCount(unreadCount)} to make the text searchable.`}
      </p>

      <section ref={listRef} aria-label="Documents" tabIndex={-1} className="outline-none">
        {renderDocuments()}
        {documents && selectedIds.size > 0 && (
          <SelectionBar
            count={selectedIds.size}
            visibleCount={visibleDocuments.length}
            exporting={exportZip.isPending}
            onSelectAll={() => setSelectedIds(new Set([...selectedIds, ...visibleDocuments.map(({ id }) => id)]))}
            onExport={() => exportZip.mutate(documents.filter(({ id }) => selectedIds.has(id)))}
            onDelete={() => setDocumentsToDelete(documents.filter(({ id }) => selectedIds.has(id)))}
            onClear={() => setSelectedIds(noIds)}
          />
        )}
      </section>

      {openedDocument && !documentToEdit && (
        <ViewDialog
          store={store}
          document={openedDocument}
          onClose={() => openDocument(null)}
          onEdit={() => {
            openDocument(null)
            setDocumentToEdit(openedDocument)
          }}
        />
      )}
      {documentToKeep && (
        <KeepDialog
          store={store}
          keepers={keepers}
          document={documentToKeep}
          onClose={() => setDocumentToKeep(undefined)}
        />
      )}
      {documentToEdit && (
        <EditDialog
          document={documentToEdit}
          onSave={(info) => save(documentToEdit.id, info)}
          onClose={() => setDocumentToEdit(undefined)}
        />
      )}
      <DeleteDocuments
        store={store}
        documents={documentsToDelete}
        onClose={() => setDocumentsToDelete(undefined)}
        onDeleted={() => focusAfterDeletion(listRef.current)}
      />
    </>
  )
}

/** Hides documents whose upload progress is still shown. */
function useUploadedDocuments(storedDocuments: LibraryDocument[] | undefined, uploads: readonly Upload[]) {
  const uploadingIds = uploads
    .flatMap(({ isUploading, documentId }) => (isUploading && documentId ? [documentId] : []))
    .join(' ')
  return useMemo(() => storedDocuments?.filter(({ id }) => !uploadingIds.includes(id)), [storedDocuments, uploadingIds])
}

const dialogCheckMs = 50
const focusDelayMs = 200

/** Focuses the list if no remaining item took focus after a deletion. */
function focusAfterDeletion(list: HTMLElement | null) {
  const focusList = () => {
    if (!list?.contains(document.activeElement)) list?.focus({ preventScroll: true })
  }
  const timer = setInterval(() => {
    if (document.querySelector('[role="alertdialog"]')) return
    clearInterval(timer)
    setTimeout(focusList, focusDelayMs)
  }, dialogCheckMs)
}

function formatResultCount(count: number): string {
  return `${formatDocumentCount(count)} found.`
}

function LibrarySkeleton() {
  return (
    <SkeletonRows
      count={3}
      rowClassName="h-[134px]"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(18.75rem,100%),1fr))] gap-3.5 phone:[&>:nth-child(n+3)]:hidden"
    />
  )
}
