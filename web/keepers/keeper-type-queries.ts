import { queryOptions } from '@tanstack/react-query'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call } from '#web/api.ts'
import { keeperTypesKey } from '#web/keeper-types-query.ts'

export const templatesOfTypeQuery = (typeId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'templates', typeId],
    queryFn: ({ signal }) => call(keeperTypes.templates, { params: { id: typeId }, signal }),
  })
