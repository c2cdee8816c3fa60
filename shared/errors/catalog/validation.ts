import type { ErrorEntries } from '../reason.ts'

/** The findings of validation in a post. Scheduling and publishing reject the post with the code of its first issue. */
export const validationErrors = {
  account_disconnected: {
    reason: 'invalid',
    message: 'The Bluesky account bakery.example is not connected. Reconnect the account.',
    meaning: 'The account is not connected, or must be reconnected.',
    fix: 'Reconnect the account; its id stays.',
  },
  duplicate_account: {
    reason: 'invalid',
    message: 'The account is listed more than once. List each account once.',
    meaning: '`socialAccountIds` lists an account more than once.',
    fix: 'List each account once.',
  },
  content_length: {
    reason: 'invalid',
    message: 'X: 281/280 characters. Shorten the text by 1 character.',
    meaning: 'The text is longer than the platform accepts.',
    fix: 'Shorten the text.',
  },
  content_empty: {
    reason: 'invalid',
    message: 'X: The post is empty. Write a text or attach media.',
    meaning: 'The post has neither the text nor the media that the platform requires.',
    fix: 'Write a text, or attach media.',
  },
  content_invalid: {
    reason: 'invalid',
    message: 'YouTube: The text contains < or >. Remove < and > from the text.',
    meaning: 'The text contains something that the platform does not accept.',
    fix: 'Remove what the message names.',
  },
  hashtag_limit: {
    reason: 'invalid',
    message: 'Instagram: 31/30 hashtags. Remove 1 of them.',
    meaning: 'The text has more hashtags than the platform accepts.',
    fix: 'Remove hashtags.',
  },
  link_limit: {
    reason: 'invalid',
    message: 'Threads: 6/5 links. Remove 1 of them.',
    meaning: 'The text has more links than the platform accepts.',
    fix: 'Remove links.',
  },
  cashtag_limit: {
    reason: 'invalid',
    message: 'X: 2/1 cashtags. Remove 1 of them, or write them without the dollar sign.',
    meaning: 'The text has more cashtags than the platform accepts.',
    fix: 'Remove cashtags, or write them without the dollar sign.',
  },
  mention_limit: {
    reason: 'invalid',
    message: 'Instagram: 21/20 mentions. Remove 1 of them.',
    meaning: 'The text mentions more accounts than the platform accepts.',
    fix: 'Remove mentions.',
  },
  metadata_required: {
    reason: 'invalid',
    message:
      'Pinterest: "metadata.pinterest" is missing. Send the block "metadata.pinterest". Example: {"pinterest":{"boardId":"549755885175","title":"Sourdough","description":"Baked this morning"}}.',
    meaning: 'The platform requires its block of `metadata`.',
    fix: 'Send the block; GET /api/platforms has its JSON Schema.',
  },
  metadata_invalid: {
    reason: 'invalid',
    message:
      'Pinterest: "metadata.pinterest.boardId" must be the id of a board, in digits. Correct "metadata.pinterest.boardId".',
    meaning: 'A field of `metadata` does not meet the rules of the platform.',
    fix: 'Correct what `field` names; GET /api/platforms has the JSON Schema.',
  },
  flair_required: {
    reason: 'invalid',
    message:
      'Reddit: r/AskReddit requires a flair. Send metadata.reddit.flairId; GET /api/social-accounts/reddit/flair-options lists the flairs.',
    meaning: 'The subreddit requires a flair.',
    fix: 'Send `metadata.reddit.flairId` from GET /api/social-accounts/reddit/flair-options.',
  },
  media_url_invalid: {
    reason: 'invalid',
    message:
      'The address must start with https://. Send a public https address, or upload the file with POST /api/media/upload-url and send its id.',
    meaning: 'The service cannot fetch an address in `mediaUrls`, or there are more than 10.',
    fix: 'Send at most 10 public https addresses, or upload the files and send their ids.',
  },
  media_count: {
    reason: 'invalid',
    message: 'X: 5/4 files. Attach at most 4.',
    meaning: 'The post has fewer or more files than the platform accepts.',
    fix: 'Attach as many files as the message says.',
  },
  media_type: {
    reason: 'invalid',
    message:
      'X: loaf.heic is image/heic. Attach only types that X accepts here: image/jpeg, image/png, image/webp, image/gif, video/mp4, video/quicktime.',
    meaning: 'A file, or the mix of files, has a type that is not accepted here, or differs from the declared type.',
    fix: 'Use a type that the message names.',
  },
  media_size: {
    reason: 'invalid',
    message: 'Bluesky: loaf.jpg has 100000001/100000000 bytes. Attach a smaller file.',
    meaning: 'A file has too many or too few bytes, or not the declared number.',
    fix: 'Use a file of the size that the message names.',
  },
  media_dimensions: {
    reason: 'invalid',
    message: 'Instagram: loaf.jpg has a width of 300 px. It must be at least 320 px.',
    meaning: 'The width, height, aspect ratio, or number of frames of a file is out of range.',
    fix: 'Resize or crop the file to what the message names.',
  },
  media_duration: {
    reason: 'invalid',
    message: 'X: bread.mp4 has a duration of 150 s/140 s. It must be at most 140 s.',
    meaning: 'A video is shorter or longer than the platform accepts.',
    fix: 'Cut the video to what the message names.',
  },
  media_encoding: {
    reason: 'invalid',
    message: 'TikTok: bread.mp4 has a frame rate of 12 frames/s. It must be at least 23 frames/s.',
    meaning: 'The codec, frame rate, bit rate, or sound of a video is not what the platform accepts.',
    fix: 'Export the video again as the message says; H.264 with AAC at 30 frames/s is accepted everywhere.',
  },
} as const satisfies ErrorEntries
