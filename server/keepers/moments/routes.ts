import { moments } from '#contract/keepers/moments.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { binEntry } from '../entries/bin-entry.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { createMoment } from './create-moment.ts'
import { listMoments } from './list-moments.ts'
import { momentCalendar, momentsOnThisDay } from './moment-days.ts'
import { momentPlaces } from './moment-places.ts'
import { momentView } from './moment-view.ts'
import { reflectOnMoment } from './reflect-on-moment.ts'
import { updateMoment } from './update-moment.ts'

export function momentRoutes(services: Services): ServedCall[] {
  return serveArea('moments', moments, {
    list: ({ person, params, query }) => listMoments(services, person, params.id, query),
    calendar: ({ person, params, query }) => momentCalendar(services, person, params.id, query),
    places: ({ person, params }) => momentPlaces(services, person, params.id),
    onThisDay: ({ person, params, query }) => momentsOnThisDay(services, person, params.id, query.date),
    show: async ({ person, params }) =>
      momentView(services, await requireEntryFor(services, person, 'moment', params.id)),
    create: ({ person, params, body }) => createMoment(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateMoment(services, person, params.id, body, ifMatch),
    async remove({ person, params }) {
      await binEntry(services, person, 'moment', params.id)
      return {}
    },
    reflect: ({ person, params }) => reflectOnMoment(services, person, params.id),
  })
}
