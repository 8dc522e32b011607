import { type ReactNode, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface MadeListOptions<Entry> {
  nameOf: (entry: Entry) => string
  makeCopy: (entry: Entry) => Promise<Entry>
  remove: (entry: Entry) => Promise<unknown>
  changed: () => Promise<unknown>
  deleteLabel: string
  deleteWords: ReactNode
}

export function useMadeList<Entry>(options: MadeListOptions<Entry>) {
  const { nameOf, makeCopy, remove, changed, deleteLabel, deleteWords } = options
  const [told, setTold] = useState<{ text: string; at: number }>()
  const [failure, setFailure] = useState<string>()
  const [deleting, setDeleting] = useState<Entry>()
  const [deleteError, setDeleteError] = useState<string>()
  const tell = (text: string) => setTold({ text, at: Date.now() })
  const wordsOf = (reason: unknown, otherwise: string) => (reason instanceof ApiError && reason.told) || otherwise

  async function duplicate(entry: Entry) {
    setFailure(undefined)
    try {
      const made = await makeCopy(entry)
      await changed()
      tell(`Created ${nameOf(made)}. You can change it.`)
    } catch (reason) {
      setFailure(wordsOf(reason, `Failed to duplicate ${nameOf(entry)}`))
    }
  }

  async function removeNow() {
    if (!deleting) return
    setDeleteError(undefined)
    try {
      await remove(deleting)
    } catch (reason) {
      setDeleteError(wordsOf(reason, `Failed to delete ${nameOf(deleting)}`))
      throw reason
    }
    tell(`Deleted ${nameOf(deleting)}.`)
    await changed()
  }

  return {
    tell,
    duplicate,
    askToDelete(entry: Entry) {
      setDeleteError(undefined)
      setDeleting(entry)
    },
    notices: (
      <>
        {told && (
          <Banner key={told.at} tone="success" className="mb-4" onDismiss={() => setTold(undefined)}>
            {told.text}
          </Banner>
        )}
        {failure && (
          <Banner tone="error" className="mb-4" onDismiss={() => setFailure(undefined)}>
            {failure}
          </Banner>
        )}
      </>
    ),
    dialog: (
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={(open) => !open && setDeleting(undefined)}
        title={`Delete ${deleting ? nameOf(deleting) : ''}?`}
        confirmLabel={deleteLabel}
        busyLabel="Deleting..."
        onConfirm={removeNow}
        error={deleteError}
      >
        {deleteWords}
      </ConfirmDialog>
    ),
  }
}
