import { connections } from '#contract/connections/connections.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { blankConsent, ConsentFields, findConsentProblems, toConsentBody } from './consent-fields.tsx'

interface CreateTokenProps {
  keepers: readonly Keeper[]
  onCreated: (created: EndpointOutput<typeof connections.createToken>) => Promise<unknown>
  onClose: () => void
}

export function CreateToken({ keepers, onCreated, onClose }: CreateTokenProps) {
  const form = useSubmitForm({
    draftKey: 'access-token/new',
    draftOptions: { isStored: false },
    blank: { name: '', ...blankConsent },
    validate: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...findConsentProblems(values),
    }),
    async submit(values) {
      const { name, scopes } = values
      await onCreated(await call(connections.createToken, { body: { name, scopes, ...toConsentBody(values) } }))
    },
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title="Create an access token"
      description="For a script or an app that calls Keeper for you. Anyone who has the token can do what you allow here."
      saveLabel="Create token"
      busyLabel="Creating..."
      failureTitle="The token couldn’t be created."
      locksWhileBusy
    >
      <TextField label="Name" required maxLength={80} placeholder="My editor" {...form.field('name')} />
      <ConsentFields
        values={form.values}
        onChange={form.set}
        keepers={keepers.filter((keeper) => !isSampleKeeper(keeper))}
        errors={form.errors}
      />
    </EntityFormDialog>
  )
}
