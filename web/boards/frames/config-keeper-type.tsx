import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { emptyTypeValues, TypeFields, toTypeValues } from '#web/keepers/types/type-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx'
import { FrameDetailList } from './frame-detail-list.tsx'
import { FrameQuery, FrameUnavailable } from './frame-query.tsx'
import { InPlaceForm } from './in-place-form.tsx'

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
  const form = useEntityForm({
    draftKey: `frame/${frameKey}/keeper-type/${type.id}`,
    subject: 'This keeper type',
    entity: type,
    toValues: toTypeValues,
    blank: emptyTypeValues,
    send: (body, { rev }) => sendNow(keeperTypes.update, { params: { id: type.id }, body, ifMatch: rev ?? type.rev }),
    onSaved: () =>
      Promise.all([keeperTypesKey, keepersKey].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
  return (
    <InPlaceForm form={form}>
      <TypeFields form={form} />
    </InPlaceForm>
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
