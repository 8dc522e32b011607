import { topics } from '#contract/keepers/topics.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { mergeTopics, undoMerge } from './merge-topics.ts'
import { createTopic, removeTopic, updateTopic } from './save-topic.ts'
import { listTopics, showTopic } from './topic-view.ts'

export function topicRoutes(services: Services): ServedCall[] {
  return serveArea('topics', topics, {
    list: ({ person, params, query }) => listTopics(services, person, params.id, query.cursor),
    show: ({ person, params, query }) => showTopic(services, person, params.id, query.cursor),
    create: ({ person, params, body }) => createTopic(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateTopic(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => removeTopic(services, person, params.id),
    merge: ({ person, params }) => mergeTopics(services, person, params),
    undoMerge: ({ person, params }) => undoMerge(services, person, params.id),
  })
}
