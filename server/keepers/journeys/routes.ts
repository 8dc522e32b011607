import { journeys } from '#contract/keepers/journeys.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { completeJourney, completeWaypoint } from './complete-journey.ts'
import { listJourneys, showJourney } from './journey-view.ts'
import { createPath, listPaths, removePath, updatePath } from './paths.ts'
import { createJourney, updateJourney } from './save-journey.ts'
import { exportStory } from './story.ts'

export function journeyRoutes(services: Services): ServedCall[] {
  return serveArea('journeys', journeys, {
    list: ({ person, params, query }) => listJourneys(services, person, params.id, query.cursor),
    show: ({ person, params, query }) => showJourney(services, person, params.id, query.cursor),
    create: ({ person, params, body }) => createJourney(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateJourney(services, person, params.id, body, ifMatch),
    // Paths are reachable only through their journey, so they follow it in and out of the trash. Moments stay.
    remove: ({ person, params }) => trashEntry(services, person, 'journey', params.id),
    complete: ({ person, params, body, ifMatch }) =>
      completeJourney(services, person, params.id, body.reflect ?? false, ifMatch),
    story: ({ person, params, query }) => exportStory(services, person, params.id, query.format),
    createPath: ({ person, params, body }) => createPath(services, person, params.id, body),
    paths: ({ person, params, query }) => listPaths(services, person, params.id, query.cursor),
    updatePath: ({ person, params, body, ifMatch }) => updatePath(services, person, params.id, body, ifMatch),
    removePath: ({ person, params }) => removePath(services, person, params.id),
    completeWaypoint: ({ person, params, body, ifMatch }) =>
      completeWaypoint(services, person, params, body.done ?? true, ifMatch),
  })
}
