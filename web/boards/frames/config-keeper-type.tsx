import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { emptyTypeValues, getReadOnlyReason, TypeFields, toTypeValues } from '#web/keepers/types/type-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesKey, keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { FrameDetailList, InPlaceForm } from './frame-parts.tsx'
import { FrameQuery, FrameUnavailable } from './frame-query.tsx'

interface KeeperTypeByIdProps {
  /** ID or slug of the keeper type. */
  id: string
  onChooseAnother: (() => void) | undefined
  children: (type: KeeperType) => ReactNode
}

export function KeeperTypeById({ id, onChooseAnother, children }: KeeperTypeByIdProps) {
  return (
    <FrameQuery query={useQuery(keeperTypesQuery)} entityName="keeper type">
      {(types) => {
        const type = types.find((candidate) => candidate.id === id || candidate.slug === id)
        return type ? children(type) : <FrameUnavailable entityName="keeper type" onChooseAnother={onChooseAnother} />
      }}
    </FrameQuery>
  )
}

interface KeeperTypeSettingsProps {
  type: KeeperType
  frameKey: string
}

/** Edits a keeper type; system types are read-only. */
export function KeeperTypeSettings({ type, frameKey }: KeeperTypeSettingsProps) {
  return type.system || !type.mine ? (
    <KeeperTypeDetailList type={type} />
  ) : (
    <TypeForm key={type.id} type={type} frameKey={frameKey} />
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

function KeeperTypeDetailList({ type }: { type: KeeperType }) {
  const { name, description, memoryPattern } = type
  return (
    <>
      <FrameDetailList
        details={[
          ['Name', name],
          ['Description', description],
          ['Memory pattern', getPatternLabel(memoryPattern)],
        ]}
      />
      <p className="text-small text-muted-foreground">{getReadOnlyReason(type)}</p>
    </>
  )
}
