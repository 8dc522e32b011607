import { type ReactNode, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface RegistryListOptions<Entry> {
  getName: (entry: Entry) => string
  createCopy: (entry: Entry) => Promise<Entry>
  remove: (entry: Entry) => Promise<unknown>
  reload: () => Promise<unknown>
  deleteLabel: string
  deleteWarning: ReactNode
}

export function useRegistryList<Entry>(options: RegistryListOptions<Entry>) {
  const { getName, createCopy, remove, reload, deleteLabel, deleteWarning } = options
  const [notice, setNotice] = useState<{ text: string; at: number }>()
  const [failure, setFailure] = useState<string>()
  const [deleting, setDeleting] = useState<Entry>()
  const [deleteError, setDeleteError] = useState<string>()
  const showNotice = (text: string) => setNotice({ text, at: Date.now() })
  const toErrorText = (reason: unknown, fallback: string) =>
    (reason instanceof ApiError && reason.serverMessage) || fallback

  async function duplicate(entry: Entry) {
    setFailure(undefined)
    try {
      const copy = await createCopy(entry)
      await reload()
      showNotice(`Created ${getName(copy)}. You can change it.`)
    } catch (reason) {
      setFailure(toErrorText(reason, `Failed to duplicate ${getName(entry)}`))
    }
  }

  async function removeEntry() {
    if (!deleting) return
    setDeleteError(undefined)
    try {
      await remove(deleting)
    } catch (reason) {
      setDeleteError(toErrorText(reason, `Failed to delete ${getName(deleting)}`))
      throw reason
    }
    showNotice(`Deleted ${getName(deleting)}.`)
    await reload()
  }

  return {
    showNotice: showNotice,
    duplicate,
    confirmDelete(entry: Entry) {
      setDeleteError(undefined)
      setDeleting(entry)
    },
    notices: (
      <>
        {notice && (
          <Banner key={notice.at} tone="success" className="mb-4" onDismiss={() => setNotice(undefined)}>
            {notice.text}
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
        title={`Delete ${deleting ? getName(deleting) : ''}?`}
        confirmLabel={deleteLabel}
        busyLabel="Deleting..."
        onConfirm={removeEntry}
        error={deleteError}
      >
        {deleteWarning}
      </ConfirmDialog>
    ),
  }
}
