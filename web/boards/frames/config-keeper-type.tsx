import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'
import { keeperTypesKey, keeperTypesQuery } from '#web/keeper-types-query.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { TypeFields } from '#web/keepers/types/type-form.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx'
import { FactList } from './fact-list.tsx'
import { FrameGone, FrameQuery } from './frame-query.tsx'
import { InPlaceFormEnd } from './in-place-form-end.tsx'
import { useInPlaceForm } from './use-in-place-form.ts'

interface SettingsProps {
  id: string
  frameKey: string
  onChooseAnother: (() => void) | undefined
}

/** Edits a keeper type; system types are read-only. */
export function KeeperTypeSettings({ id, frameKey, onChooseAnother }: SettingsProps) {
  const query = useQuery(keeperTypesQuery)
  return (
    <FrameQuery query={query} what="keeper type">
      {(types) => {
        const type = types.find((each) => each.id === id)
        if (!type) return <FrameGone what="keeper type" onChooseAnother={onChooseAnother} />
        if (type.system || !type.mine) return <TypeFacts type={type} />
        return <TypeForm type={type} frameKey={frameKey} />
      }}
    </FrameQuery>
  )
}

function TypeForm({ type, frameKey }: { type: KeeperType; frameKey: string }) {
  const queries = useQueryClient()
  const form = useInPlaceForm({
    draftKey: `frame/${frameKey}/keeper-type/${type.id}`,
    entity: type,
    valuesOf: ({ name, description, memoryPattern }: KeeperType) => ({ name, description, memoryPattern }),
    labels: { name: 'Name', description: 'Description', memoryPattern: 'Memory pattern' },
    send: (changes, rev) => call(keeperTypes.update, { params: { id: type.id }, body: changes, ifMatch: rev }),
    onSaved: () => Promise.all([keeperTypesKey, keepersKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  return (
    <form
      noValidate
      onKeyDown={onSubmitKey}
      onSubmit={(event) => {
        event.preventDefault()
        void form.save()
      }}
      className="flex flex-col gap-3"
    >
      <ReadOnlyWhile while={form.busy}>
        <TypeFields values={form.values} onChange={form.change} errors={form.errors} />
      </ReadOnlyWhile>
      <InPlaceFormEnd form={form} what="This keeper type" />
    </form>
  )
}

function TypeFacts({ type: { name, description, memoryPattern, system } }: { type: KeeperType }) {
  return (
    <>
      <FactList
        facts={[
          ['Name', name],
          ['Description', description],
          ['Memory pattern', memoryPattern],
        ]}
      />
      <p className="text-small text-muted-foreground">
        {system
          ? 'This is a system-reserved Keeper Type. Editing is disabled.'
          : 'This keeper type was created by someone you share a domain with. Only they can change it.'}
      </p>
    </>
  )
}

export function KeeperTypePicker(props: Pick<EntityPickerProps, 'title' | 'onChoose' | 'children'>) {
  const { data, error, refetch } = useQuery(keeperTypesQuery)
  return (
    <EntityPicker
      {...props}
      searchLabel="Search keeper types"
      choices={data?.map(({ id, name: label, memoryPattern: detail }) => ({ id, label, detail }))}
      problem={error}
      onRetry={refetch}
      empty="There are no keeper types yet."
    />
  )
}
