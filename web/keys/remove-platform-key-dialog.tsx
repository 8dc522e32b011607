import { useQueryClient } from '@tanstack/react-query'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { callEnvelope, getServerMessage } from '#web/api/api.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { keysKey } from './key-queries.ts'

interface RemovePlatformKeyDialogProps {
  provider: Provider | undefined
  onClose: () => void
  onRemoved: (text: string) => void
  onFailed: (text: string) => void
}

export function RemovePlatformKeyDialog({ provider, onClose, onRemoved, onFailed }: RemovePlatformKeyDialogProps) {
  const queryClient = useQueryClient()
  const name = provider ? getProviderName(provider) : ''

  async function remove() {
    if (!provider) return
    try {
      const { message } = await callEnvelope(keys.removePlatform, { params: { provider } })
      onRemoved(typeof message === 'string' && message ? message : `Platform key for ${name} deleted.`)
    } catch (reason) {
      onFailed(getServerMessage(reason) ?? 'Failed to delete platform key')
    }
    await queryClient.invalidateQueries({ queryKey: keysKey })
  }

  return (
    <ConfirmDialog
      open={provider !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the ${name} platform key?`}
      confirmLabel="Delete Key"
      busyLabel="Deleting..."
      onConfirm={remove}
    >
      Are you sure you want to delete the {name} platform key?
    </ConfirmDialog>
  )
}
