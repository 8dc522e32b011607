import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { maxSourceTitleLength, sources } from '#contract/keepers/sources.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import type { LibraryDocument } from './documents.ts'
import type { LibraryStore } from './store/library-store.ts'
import type { DocumentParts } from './text/split-text.ts'
import { storedDocumentsKey } from './use-library.ts'

interface KeepDialogProps {
  store: LibraryStore
  document: LibraryDocument
  keepers: Keeper[] | undefined
  onClose: () => void
}

export function KeepDialog({ store, document, keepers: allKeepers, onClose }: KeepDialogProps) {
  const queryClient = useQueryClient()
  const keepers = allKeepers?.filter((keeper) => !isSampleKeeper(keeper))
  const content = useQuery(documentPartsQuery(store, document))
  const [selectedId, setSelectedId] = useState<string>()
  const keeperId = selectedId ?? (keepers?.length === 1 ? keepers[0]?.id : undefined) ?? ''
  const [agentsMayQuote, setAgentsMayQuote] = useState(false)
  const [progress, setProgress] = useState<number>()
  const [problem, setProblem] = useState('')
  const [keeperProblem, setKeeperProblem] = useState<string>()
  const newIds = useRef(createIds())
  const parts = content.data?.parts ?? []
  const isReadable = parts.length > 0

  async function keep(event: FormEvent) {
    event.preventDefault()
    if (content.isPending || progress !== undefined) return
    if (keeperId === '') return setKeeperProblem('Choose a keeper.')
    setProblem('')
    setProgress(0)
    try {
      await send(keeperId)
    } catch (reason) {
      setProblem(
        getServerMessage(reason) ??
          (reason instanceof FileLostError ? reason.message : 'The server couldn’t be reached. Try again.'),
      )
      setProgress(undefined)
      return
    }
    await queryClient.invalidateQueries({ queryKey: storedDocumentsKey })
    await queryClient.invalidateQueries({ queryKey: ['keeper', keeperId] })
    void showToast('Kept on the server.', { dropsRibbon: true })
    onClose()
  }

  async function send(id: string) {
    const ids = newIds.current
    const bytes = await store.readBytes(document).catch(() => {
      throw new FileLostError('The file of this document is no longer in this browser.')
    })
    const type = document.format === 'pdf' ? 'application/pdf' : 'text/plain'
    const query = { id: ids.media, name: truncate(document.name, 255) }
    const file = await upload(keeperMedia.upload, { params: { id }, query }, new Blob([bytes], { type }), {
      onProgress: setProgress,
    })
    const title = truncate(cleanOneLine(document.name), maxSourceTitleLength).trim() || 'Document'
    const body = { id: ids.source, mediaId: file.id, title, parts, agentsMayQuote: agentsMayQuote && isReadable }
    try {
      await call(sources.keepDocument, { params: { id }, body })
    } catch (reason) {
      // A refusal (4xx) kept nothing. After any other failure the document may have been kept, so the next attempt
      // sends the same ids.
      if (reason instanceof ApiError && reason.status < 500) {
        newIds.current = createIds()
        await call(keeperMedia.remove, { params: { id: file.id } }).catch(() => undefined)
      }
      throw reason
    }
  }

  if (keepers?.length === 0)
    return (
      <FormDialog
        title="Keep on the server"
        onClose={onClose}
        form={{ onSubmit: (event) => event.preventDefault() }}
        submitLabel="Keep"
        busy={false}
        disabled
      >
        <p className="mb-3">A document is kept in a keeper, and you have none yet.</p>
        <LinkButton to="/keeper/create">Create a keeper</LinkButton>
      </FormDialog>
    )
  return (
    <FormDialog
      title="Keep on the server"
      onClose={onClose}
      form={{ onSubmit: keep, className: 'flex flex-col gap-4' }}
      submitLabel="Keep"
      busyLabel={progress === undefined || progress === 1 ? 'Keeping...' : `Sending ${Math.floor(progress * 100)}%`}
      busy={progress !== undefined}
      disabled={content.isPending || !keepers}
      locksWhileBusy
    >
      <p className="wrap-anywhere">
        A copy of “<bdi>{document.name}</bdi>” leaves this browser: it is stored on the server with its text, and counts
        toward your storage.
      </p>
      <SelectField
        label="Keeper"
        required
        placeholder={keepers ? 'Choose a keeper' : 'Loading...'}
        value={keeperId}
        error={keeperProblem}
        options={(keepers ?? []).map(({ id, title }) => ({ value: id, label: title }))}
        onChange={(event) => {
          setSelectedId(event.currentTarget.value)
          setKeeperProblem(undefined)
          newIds.current = createIds()
        }}
      />
      <Checkbox
        label="Agents of this keeper can quote it"
        help={describeText(content.data)}
        checked={agentsMayQuote && isReadable}
        disabled={!isReadable}
        onCheckedChange={setAgentsMayQuote}
      />
      <ErrorText>{problem}</ErrorText>
    </FormDialog>
  )
}

/** An encrypted, damaged or mislabeled document has no parts; its original can still be kept. */
export const documentPartsQuery = (store: Pick<LibraryStore, 'readBytes'>, document: LibraryDocument) =>
  queryOptions({
    queryKey: ['document-parts', document.id],
    async queryFn(): Promise<DocumentParts> {
      try {
        const { readParts } = await import('./text/read-parts.ts')
        return await readParts(await store.readBytes(document), document.format)
      } catch {
        return { parts: [], isTruncated: false }
      }
    },
    staleTime: 'static',
    gcTime: 0,
  })

class FileLostError extends Error {}

const createIds = () => ({ media: createClientId(), source: createClientId() })

function describeText(content: DocumentParts | undefined): string {
  if (!content) return 'Reading its text...'
  if (content.parts.length === 0) return 'Its text can’t be read, so there is nothing to quote.'
  return content.isTruncated
    ? 'You can change this at any time. The document is long: the end of its text can’t be searched or quoted.'
    : 'You can change this at any time.'
}
