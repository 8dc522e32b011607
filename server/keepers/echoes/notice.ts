import type { Services } from '#server/services.ts'

/** Something was said of these topics: echoes that wait for one of them become ready. To be called after it was written. */
export async function noticeTopics(_services: Services, _keeperId: string, _topicIds: string[]): Promise<void> {}

/** A journey was completed: echoes that wait for it become ready. To be called after it was written. */
export async function noticeJourneyCompleted(
  _services: Services,
  _keeperId: string,
  _journeyId: string,
): Promise<void> {}
