import { queryOptions } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '../api/api.ts'
import { readAllPages } from '../api/api-pages.ts'

/** Prefix of all keeper type queries, so that one invalidation updates every page. */
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

export const agentsOfTypeQuery = (typeId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'agents', typeId],
    queryFn: ({ signal }) => call(keeperTypes.agents, { params: { id: typeId }, signal }),
  })
