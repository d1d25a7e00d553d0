# Keeps one issue with a title: edits the open one, or creates it. Without a FILE, closes the open one with a COMMENT.
#
#   bash keep-issue.sh TITLE COMMENT [FILE]
set -euo pipefail
title=$1 comment=$2 file=${3:-}
open=$(gh issue list --app github-actions --state open --limit 100 --json number,title \
  --jq "map(select(.title == \"$title\") | .number) | first // empty")
if [ -z "$file" ] && [ -n "$open" ]; then gh issue close "$open" --comment "$comment"; fi
if [ -n "$file" ] && [ -n "$open" ]; then gh issue edit "$open" --body-file "$file"; fi
if [ -n "$file" ] && [ -z "$open" ]; then gh issue create --title "$title" --body-file "$file"; fi
