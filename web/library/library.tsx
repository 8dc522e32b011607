import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { saveFile } from '#web/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { DeleteDocuments } from './delete-documents.tsx'
import { DocumentCollection } from './document-collection.tsx'
import type { DocumentDeeds } from './document-item.tsx'
import { howManyDocuments } from './document-words.ts'
import type { DocumentInfo, LibraryDocument } from './documents.ts'
import { DropZone } from './drop-zone.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { RoomLine } from './room-line.tsx'
import { findDocuments, type TypeFilter } from './search-documents.ts'
import { SelectionBar } from './selection-bar.tsx'
import { libraryOf } from './store/library-store.ts'
import { isFull } from './store/room-of-browser.ts'
import { UploadRows } from './upload-rows.tsx'
import { type Layout, useLayout } from './use-layout.ts'
import { useLibrary } from './use-library.ts'
import { useFoundInText, useReadTexts } from './use-texts.ts'
import { type Upload, useUploads } from './use-uploads.ts'

const ViewDialog = lazy(() => import('./view/view-dialog.tsx').then((module) => ({ default: module.ViewDialog })))

const filters: { value: TypeFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'pdf', label: 'PDF' },
  { value: 'json', label: 'JSON' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'text', label: 'Text' },
  { value: 'other', label: 'Other' },
]
const layouts: { value: Layout; label: string }[] = [
  { value: 'cards', label: 'Cards' },
  { value: 'list', label: 'List' },
]
const none: ReadonlySet<string> = new Set()

export function Library({ person }: { person: string }) {
  const { store, documents: kept, refused, room, look } = useLibrary(libraryOf(person))
  const { uploads, add, retry, keepBoth, dismiss } = useUploads(store)
  const documents = useShownOnceUploaded(kept, uploads)
  const left = useReadTexts(store, documents)
  const [words, setWords] = useState('')
  const [type, setType] = useState<TypeFilter>('all')
  const [layout, setLayout] = useLayout()
  const [chosen, setChosen] = useState(none)
  const [editing, setEditing] = useState<LibraryDocument>()
  const [deleting, setDeleting] = useState<LibraryDocument[]>()
  const [exporting, setExporting] = useState(false)
  const [exportError, setExportError] = useState<string>()
  const [address, setAddress] = useSearchParams()
  const list = useRef<HTMLElement>(null)

  const { places, isLooking } = useFoundInText(store, words, left === 0 ? documents : Math.ceil(left / 100))
  const shown = useMemo(
    () => findDocuments(documents ?? [], { words, type, inText: places }),
    [documents, words, type, places],
  )
  const opened = documents?.find(({ id }) => id === address.get('document'))
  const isFiltered = words.trim() !== '' || type !== 'all'

  const asksToUpload = address.has('upload')
  useEffect(() => {
    if (!asksToUpload) return
    document.querySelector<HTMLElement>('main [aria-keyshortcuts="N"]')?.focus()
    setAddress({}, { replace: true })
  }, [asksToUpload, setAddress])

  useEffect(() => {
    if (!documents) return
    const there = new Set(documents.map(({ id }) => id))
    setChosen((before) => {
      const left = [...before].filter((id) => there.has(id))
      return left.length === before.size ? before : new Set(left)
    })
  }, [documents])

  const open = useCallback(
    (id: string | null) =>
      setAddress((before) => {
        const after = new URLSearchParams(before)
        if (id) after.set('document', id)
        else after.delete('document')
        return after
      }),
    [setAddress],
  )
  const deeds = useMemo<DocumentDeeds>(
    () => ({
      onView: ({ id }) => open(id),
      onEdit: setEditing,
      onDelete: (document) => setDeleting([document]),
      onChoose: (id, isChosen) =>
        setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((each) => each !== id))),
    }),
    [open],
  )

  async function save(id: string, info: DocumentInfo): Promise<string | undefined> {
    try {
      const saved = await store.change(id, info)
      return saved ? undefined : 'This document was deleted in another tab. Undo that there, or cancel.'
    } catch (reason) {
      return isFull(reason) ? 'This browser is out of space. Delete something and save again.' : 'It couldn’t be saved.'
    }
  }

  async function exportZip(which: readonly LibraryDocument[]) {
    setExporting(true)
    setExportError(undefined)
    try {
      const { zipDocuments } = await import('./zip/zip-documents.ts')
      const exportedAt = new Date().toISOString()
      const zip = await zipDocuments(which, (document) => store.bytes(document), { exportedAt })
      saveFile(zip, `keeper-documents-${exportedAt.slice(0, 10)}.zip`)
    } catch (reason) {
      const why = reason instanceof RangeError ? reason.message : 'Select fewer and try again. Nothing was changed.'
      setExportError(`The documents couldn’t be exported. ${why}`)
    } finally {
      setExporting(false)
    }
  }

  return (
    <>
      <PageHeader
        title="Documents"
        sub="Stored only in this browser and never sent anywhere. They stay here when you sign out."
        actions={
          documents &&
          documents.length > 0 && (
            <Button busy={exporting} busyLabel="Exporting..." onClick={() => exportZip(documents)}>
              Export all
            </Button>
          )
        }
      />
      <DropZone onFiles={add}>
        <UploadRows uploads={uploads} onRetry={retry} onKeepBoth={keepBoth} onDismiss={dismiss} />
      </DropZone>
      <RoomLine room={room} />
      {exportError && (
        <Banner tone="error" className="mt-4" onDismiss={() => setExportError(undefined)}>
          {exportError}
        </Banner>
      )}

      <div className="mt-5 mb-4 flex flex-wrap items-center gap-3">
        <SearchField
          label="Search documents"
          placeholder="Search name, description, tag or text"
          value={words}
          onValueChange={setWords}
          className="w-[300px] phone:w-full"
        />
        <FilterChips
          label="Type"
          options={filters}
          value={type}
          onValueChange={setType}
          className="flex-1 phone:basis-full"
        />
        <SegmentedControl label="Layout" options={layouts} value={layout} onValueChange={setLayout} />
      </div>
      <p role="status" className={isFiltered || left > 0 ? 'mb-3 text-small text-muted-foreground' : 'sr-only'}>
        {isLooking ? 'Searching the texts...' : isFiltered && documents && howManyFound(shown.length)}
        {left > 0 && ` Reading ${howManyDocuments(left)} to make the text searchable.`}
      </p>

      <section ref={list} aria-label="Documents" tabIndex={-1} className="outline-none">
        {refused ? (
          <ErrorPanel title="This browser blocks access to your documents" onRetry={look}>
            In a private window, or with site data blocked, nothing can be stored. Documents you added before aren’t
            affected.
          </ErrorPanel>
        ) : !documents || (shown.length === 0 && isLooking) ? (
          <LibrarySkeleton />
        ) : shown.length === 0 ? (
          <EmptyPanel
            title="No documents found"
            action={
              isFiltered && (
                <Button
                  onClick={() => {
                    setWords('')
                    setType('all')
                  }}
                >
                  Show all
                </Button>
              )
            }
          >
            {isFiltered
              ? 'No names, descriptions, tags or texts match.'
              : 'Drop one above, or browse for several. They stay in this browser and are never sent anywhere.'}
          </EmptyPanel>
        ) : (
          <DocumentCollection documents={shown} layout={layout} places={places} chosen={chosen} deeds={deeds} />
        )}
        {documents && chosen.size > 0 && (
          <SelectionBar
            count={chosen.size}
            outOf={shown.length}
            exporting={exporting}
            onAll={() => setChosen(new Set([...chosen, ...shown.map(({ id }) => id)]))}
            onExport={() => exportZip(documents.filter(({ id }) => chosen.has(id)))}
            onDelete={() => setDeleting(documents.filter(({ id }) => chosen.has(id)))}
            onClear={() => setChosen(none)}
          />
        )}
      </section>

      {opened && !editing && (
        <Suspense>
          <ViewDialog
            store={store}
            document={opened}
            onClose={() => open(null)}
            onEdit={() => {
              open(null)
              setEditing(opened)
            }}
          />
        </Suspense>
      )}
      {editing && (
        <EditDialog
          document={editing}
          onSave={(info) => save(editing.id, info)}
          onClose={() => setEditing(undefined)}
        />
      )}
      <DeleteDocuments
        store={store}
        documents={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => focusOnceDeleted(list.current)}
      />
    </>
  )
}

/** Hides documents whose upload progress is still shown. */
function useShownOnceUploaded(kept: LibraryDocument[] | undefined, uploads: readonly Upload[]) {
  const onTheWay = uploads.flatMap(({ isUploading, written }) => (isUploading && written ? [written] : [])).join(' ')
  return useMemo(() => kept?.filter(({ id }) => !onTheWay.includes(id)), [kept, onTheWay])
}

/** Focuses the list if no remaining item took focus after a deletion. */
function focusOnceDeleted(list: HTMLElement | null) {
  const timer = setInterval(() => {
    if (document.querySelector('[role="alertdialog"]')) return
    clearInterval(timer)
    setTimeout(() => list?.contains(document.activeElement) || list?.focus({ preventScroll: true }), 200)
  }, 50)
}

function howManyFound(count: number): string {
  return `${howManyDocuments(count)} found.`
}

function LibrarySkeleton() {
  return (
    <SkeletonGroup className="grid grid-cols-[repeat(auto-fill,minmax(300px,1fr))] gap-3.5">
      {[1, 2, 3].map((each) => (
        <Skeleton key={each} className="h-[134px]" />
      ))}
    </SkeletonGroup>
  )
}
