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
      {service && describeConsequences(service)}
    </ConfirmDialog>
  )
}

function describeConsequences({ name, agents, personal_keys: keys }: ModelService): string {
  const personalKeysText = keys === 0 ? '' : `, and ${pluralize(keys, 'key')} that people saved for it`
  return `${describeUse(name, agents)} Its key and headers are deleted too${personalKeysText}.`
}

function describeUse(name: string, agentCount: number): string {
  if (agentCount === 0) return `No agent uses ${name}.`
  if (agentCount === 1) return `1 agent uses ${name}. Its runs fail until it gets another model provider.`
  return `${pluralize(agentCount, 'agent')} use ${name}. Their runs fail until they get another model provider.`
}
