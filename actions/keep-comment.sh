# Keeps one comment on a pull request: edits the one that begins with the same line, or creates it. Also adds it to the summary of the
# job, which is all if PULL_REQUEST is empty.
#
#   bash keep-comment.sh FILE
set -euo pipefail
file=$1
cat "$file" >> "$GITHUB_STEP_SUMMARY"
if [ -z "$PULL_REQUEST" ]; then exit 0; fi
marker=$(head -n 1 "$file")
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
mine=".[] | select(.user.login == \"github-actions[bot]\" and (.body | startswith(\"$marker\"))) | .id"
ids=$(gh api "$comments" --paginate --jq "$mine")
if [ -n "$ids" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/${ids%%$'\n'*}" --field body=@"$file"
else
  gh api "$comments" --field body=@"$file"
fi
