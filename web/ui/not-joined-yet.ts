export const notJoinedYet = 'Added, has not joined yet'
