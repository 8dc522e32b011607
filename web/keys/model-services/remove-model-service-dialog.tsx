import { type ModelService, modelServices } from '#contract/providers/model-services.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useInvalidateServices } from './service-queries.ts'

interface RemoveModelServiceDialogProps {
  service: ModelService | undefined
  onClose: () => void
  onRemoved: (text: string) => void
}

export function RemoveModelServiceDialog({ service, onClose, onRemoved }: RemoveModelServiceDialogProps) {
  const refresh = useInvalidateServices()

  async function remove() {
    if (!service) return
    await call(modelServices.remove, { params: { id: service.id } })
    onRemoved(`${service.name} deleted.`)
    await refresh()
  }

  return (
    <ConfirmDialog
      open={service !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Delete ${service?.name ?? ''}?`}
      confirmLabel="Delete service"
      busyLabel="Deleting..."
      onConfirm={remove}
      formatError={(reason) => getServerMessage(reason) ?? 'The service couldn’t be deleted.'}
    >
      {service && describeLoss(service)}
    </ConfirmDialog>
  )
}

function describeLoss({ name, agents, personal_keys: keys }: ModelService): string {
  const usageText =
    agents === 0
      ? `No agent uses ${name}.`
      : agents === 1
        ? `1 agent uses ${name}. Its runs fail until it gets another model provider.`
        : `${agents.toLocaleString('en-US')} agents use ${name}. Their runs fail until they get another model provider.`
  const lossText =
    keys === 0
      ? 'Its key and headers are deleted too.'
      : `Its key and headers are deleted too, and ${pluralize(keys, 'key')} that people saved for it.`
  return `${usageText} ${lossText}`
}
