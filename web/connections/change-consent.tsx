import { type Connection, connections } from '#contract/connections/connections.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConsentFields, findConsentProblems, toConsentBody, toConsentValues } from './consent-fields.tsx'

interface ChangeConsentProps {
  connection: Connection
  keepers: readonly Keeper[]
  onSaved: () => Promise<unknown>
  onClose: () => void
}

export function ChangeConsent({ connection, keepers, onSaved, onClose }: ChangeConsentProps) {
  const form = useSubmitForm({
    draftKey: `connections/${connection.id}`,
    draftOptions: { isStored: false },
    blank: { name: connection.name, ...toConsentValues(connection) },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...findConsentProblems(values),
    }),
    async submit(values) {
      const body = { name: values.name, ...toConsentBody(values) }
      await call(connections.update, { params: { id: connection.id }, body })
      await onSaved()
    },
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title="Change the access"
      description="It counts from the program’s next call on. What it has read already stays with it."
      saveLabel="Save"
      busyLabel="Saving..."
      failureTitle="The change couldn’t be saved."
      locksWhileBusy
    >
      <TextField label="Name" required maxLength={80} {...form.field('name')} />
      <ConsentFields
        values={form.values}
        onChange={form.set}
        keepers={keepers.filter((keeper) => !isSampleKeeper(keeper))}
        offeredScopes={[]}
        errors={form.errors}
      />
    </EntityFormDialog>
  )
}
