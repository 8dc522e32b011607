/** In place of the e-mail address of who was added to a domain and has not agreed to it. */
export const notJoinedYet = 'Added, has not joined yet'
