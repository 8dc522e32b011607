import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'
import { keeperTypesKey, keeperTypesQuery } from '#web/keeper-types-query.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { TypeFields } from '#web/keepers/types/type-form.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx'
import { FrameDetailList } from './frame-detail-list.tsx'
import { FrameQuery, FrameUnavailable } from './frame-query.tsx'
import { InPlaceFormFooter } from './in-place-form-footer.tsx'
import { useInPlaceForm } from './use-in-place-form.ts'

interface KeeperTypeSettingsProps {
  id: string
  frameKey: string
  onChooseAnother: (() => void) | undefined
}

/** Edits a keeper type; system types are read-only. */
export function KeeperTypeSettings({ id, frameKey, onChooseAnother }: KeeperTypeSettingsProps) {
  const query = useQuery(keeperTypesQuery)
  return (
    <FrameQuery query={query} entityName="keeper type">
      {(types) => {
        const type = types.find((candidate) => candidate.id === id)
        if (!type) return <FrameUnavailable entityName="keeper type" onChooseAnother={onChooseAnother} />
        if (type.system || !type.mine) return <KeeperTypeDetailList type={type} />
        return <TypeForm type={type} frameKey={frameKey} />
      }}
    </FrameQuery>
  )
}

function TypeForm({ type, frameKey }: { type: KeeperType; frameKey: string }) {
  const queryClient = useQueryClient()
  const form = useInPlaceForm({
    draftKey: `frame/${frameKey}/keeper-type/${type.id}`,
    entity: type,
    toValues: ({ name, description, memoryPattern }: KeeperType) => ({ name, description, memoryPattern }),
    labels: { name: 'Name', description: 'Description', memoryPattern: 'Memory pattern' },
    send: (changes, rev) => call(keeperTypes.update, { params: { id: type.id }, body: changes, ifMatch: rev }),
    onSaved: () =>
      Promise.all([keeperTypesKey, keepersKey].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
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
      <InPlaceFormFooter form={form} entityName="This keeper type" />
    </form>
  )
}

function KeeperTypeDetailList({ type: { name, description, memoryPattern, system } }: { type: KeeperType }) {
  return (
    <>
      <FrameDetailList
        details={[
          ['Name', name],
          ['Description', description],
          ['Memory pattern', memoryPattern],
        ]}
      />
      <p className="text-small text-muted-foreground">
        {system
          ? 'This is a system-reserved Keeper Type. Editing is disabled.'
          : 'Someone you share a domain with created this keeper type. Only they can change it.'}
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
      empty="No keeper types yet."
    />
  )
}
