import type { ListedModel } from '../providers/provider.ts'
import type { CatalogEntry, CatalogPurpose } from './catalog.ts'
import { getCatalog, withoutDate } from './catalog.ts'

export interface ModelLifecycle {
  status: 'available' | 'deprecated' | 'shut-down'
  shutdownDate: string | null
  replacement: string | null
}

export interface ModelListing {
  models: readonly ListedModel[] | undefined
  hasDefaultHost: boolean
}

/** At another address, the catalog counts only for unlisted models, because a local server can reuse a known name. */
export function getLifecycle(
  provider: string,
  model: string,
  { models, hasDefaultHost }: ModelListing,
  now: Date,
): ModelLifecycle {
  const today = now.toISOString().slice(0, 10)
  const listed = models?.find(({ id }) => id === model)
  const usesCatalog = hasDefaultHost || (!listed && models !== undefined)
  const entry = usesCatalog ? getCatalog().find(provider, model) : undefined
  // A model that is still listed was not shut down on the day in the catalog.
  const isCatalogDateWrong = listed !== undefined && (entry?.shutdownDate ?? '') <= today
  const catalogDate = isCatalogDateWrong ? undefined : entry?.shutdownDate
  const shutdownDate = listed?.shutdownDate === undefined ? catalogDate : (listed.shutdownDate ?? undefined)
  const isShutDown =
    listed?.lifecycle === 'retired' ||
    (shutdownDate !== undefined && shutdownDate <= today) ||
    (!listed && entry?.isShutDown === true)
  let status: ModelLifecycle['status'] = 'available'
  if (isShutDown) status = 'shut-down'
  else if (shutdownDate || listed?.lifecycle === 'deprecated') status = 'deprecated'
  return {
    status,
    shutdownDate: shutdownDate ?? null,
    replacement: status === 'available' ? null : chooseReplacement(provider, model, { models, hasDefaultHost }),
  }
}

function chooseReplacement(provider: string, model: string, state: ModelListing): string | null {
  const namedReplacement =
    state.models?.find(({ id }) => id === model)?.replacement ?? getCatalog().find(provider, model)?.replacement
  const listed = namedReplacement === undefined ? undefined : findListedModel(namedReplacement, state.models)
  const purpose = getCatalog().find(provider, model)?.purpose ?? 'chat'
  const replacement = listed ?? chooseRecommended(provider, state, purpose)
  return replacement === model ? null : replacement
}

function findListedModel(model: string, models: ModelListing['models']): string | undefined {
  if (!models) return model
  return (models.find(({ id }) => id === model) ?? models.find(({ id }) => withoutDate(id) === model))?.id
}

export function chooseRecommended(
  provider: string,
  { models, hasDefaultHost }: ModelListing,
  purpose: CatalogPurpose = 'chat',
): string | null {
  const recommended: CatalogEntry[] = getCatalog().listRecommended(provider, purpose)
  for (const { id } of recommended) {
    const offeredId = findListedModel(id, models)
    if (offeredId !== undefined) return offeredId
  }
  const currentModels = models?.filter(({ lifecycle, shutdownDate }) => !lifecycle && !shutdownDate)
  const hasNoShutdown = ({ id }: ListedModel) => {
    const entry = hasDefaultHost ? getCatalog().find(provider, id) : undefined
    return !entry?.shutdownDate && !entry?.isShutDown
  }
  return (currentModels?.find(hasNoShutdown) ?? currentModels?.[0])?.id ?? recommended[0]?.id ?? null
}
