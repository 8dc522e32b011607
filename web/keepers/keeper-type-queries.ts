import { queryOptions } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'

/** The same keys as where types are assigned to agents, so that a change is seen in both. */
export const keeperTypesKey = ['keeper-types'] as const

export const keeperTypesQuery = queryOptions({
  queryKey: [...keeperTypesKey, 'all'],
  queryFn: ({ signal }) => readAllPages<KeeperType>(keeperTypes.list, {}, signal),
})

export const templatesOfTypeQuery = (typeId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'templates', typeId],
    queryFn: ({ signal }) => call(keeperTypes.templates, { params: { id: typeId }, signal }),
  })
