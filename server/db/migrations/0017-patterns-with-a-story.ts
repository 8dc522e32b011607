import type { Migration } from '../migrate.ts'

/** A memory pattern that somebody made says whether its keepers keep one standing story, as those of SOLE do. */
export const patternsWithAStory: Migration = {
  name: '0017-patterns-with-a-story',
  statements: ({ boolean }) => [
    `alter table memory_patterns add column keeps_story ${boolean} not null default false`,
    `update memory_patterns set keeps_story = true where id = 'system-sole'`,
    // There is no list of people.
    `update memory_patterns set
      description = 'Everything by date: what happened stands on one timeline, newest first.',
      sections = '[{"key":"timeline","title":"Timeline","kind":"timeline"},{"key":"kept","title":"What is kept","kind":"list"}]'
      where id = 'system-crmtimeline'`,
  ],
}
