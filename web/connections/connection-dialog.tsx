import { type Connection, connections } from '#contract/connections/connections.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { blankConsent, ConsentFields, findConsentProblems, toConsentBody, toConsentValues } from './consent-fields.tsx'

const createTexts = {
  title: 'Create an access token',
  description: 'For a script or an app that calls Keeper for you. Anyone who has the token can do what you allow here.',
  saveLabel: 'Create token',
  busyLabel: 'Creating...',
  failureTitle: 'The token couldn’t be created.',
}
const changeTexts = {
  title: 'Change the access',
  description: 'It applies from the program’s next call. Keeper can’t delete what it has already read.',
  saveLabel: 'Save',
  busyLabel: 'Saving...',
  failureTitle: 'The change couldn’t be saved.',
}

interface ConnectionDialogProps {
  /** The connection to edit; undefined to create a token. */
  connection: Connection | undefined
  keepers: readonly Keeper[]
  onSaved: (created?: EndpointOutput<typeof connections.createToken>) => Promise<unknown>
  onClose: () => void
}

export function ConnectionDialog({ connection, keepers, onSaved, onClose }: ConnectionDialogProps) {
  const form = useSubmitForm({
    draftKey: connection ? `connections/${connection.id}` : 'access-token/new',
    blank: { name: connection?.name ?? '', ...(connection ? toConsentValues(connection) : blankConsent) },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...findConsentProblems(values),
    }),
    async submit(values) {
      const { name, scopes } = values
      const body = { name, ...toConsentBody(values) }
      if (!connection) return onSaved(await call(connections.createToken, { body: { ...body, scopes } }))
      await call(connections.update, { params: { id: connection.id }, body })
      await onSaved()
    },
  })
  return (
    <EntityFormDialog form={form} onClose={onClose} {...(connection ? changeTexts : createTexts)} locksWhileBusy>
      <TextField label="Name" required maxLength={80} placeholder="My editor" {...form.field('name')} />
      <ConsentFields
        values={form.values}
        onChange={form.set}
        keepers={keepers.filter((keeper) => !isSampleKeeper(keeper))}
        {...(connection && { offeredScopes: [] })}
        errors={form.errors}
      />
    </EntityFormDialog>
  )
}
