import { queryOptions } from '@tanstack/react-query'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'

/** The same keys as where types are assigned to agents, so that a change is seen in both. */
export const keeperTypesKey = ['keeper-types'] as const

export const keeperTypesQuery = queryOptions({
  queryKey: [...keeperTypesKey, 'all'],
  queryFn: ({ signal }) => call(keeperTypes.list, { signal }),
})

export const templatesOfTypeQuery = (typeId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'templates', typeId],
    queryFn: ({ signal }) => call(keeperTypes.templates, { params: { id: typeId }, signal }),
  })
