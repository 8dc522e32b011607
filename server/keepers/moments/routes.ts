import { moments } from '#contract/keepers/moments.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { reflectOnMoment } from '../reflections/save-reflection.ts'
import { listMoments } from './list-moments.ts'
import { listMomentsOnThisDay, listYears, loadCalendar } from './moment-days.ts'
import { listPlaces } from './moment-places.ts'
import { toMoment } from './moment-view.ts'
import { createMoment, updateMoment } from './save-moment.ts'

export function momentRoutes(services: Services): ServedCall[] {
  return serveArea('moments', moments, {
    list: ({ person, params, query }) => listMoments(services, person, params.id, query),
    calendar: ({ person, params, query }) => loadCalendar(services, person, params.id, query),
    years: ({ person, params }) => listYears(services, person, params.id),
    places: ({ person, params }) => listPlaces(services, person, params.id),
    onThisDay: ({ person, params, query }) => listMomentsOnThisDay(services, person, params.id, query.date),
    show: async ({ person, params }) =>
      toMoment(services, await requireEntryFor(services, person, 'moment', params.id)),
    create: ({ person, params, body }) => createMoment(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateMoment(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => trashEntry(services, person, 'moment', params.id),
    reflect: ({ person, params }) => reflectOnMoment(services, person, params.id),
  })
}
