import json,sys,glob
for f in sys.argv[1:]:
    print("==",f)
    for c in json.load(open(f)):
        print(" $",c["step"],c["succeeds"])
        for p in c["processes"]:
            print("  process")
            begun={}
            for e in p:
                if "begin" in e:
                    begun[e["begin"]]=e
                    print("    >",e["begin"],e["method"],e["type"],e["of"],"id" if e["hasId"] else "","olds" if e["hasOlds"] else "",",".join(e["keys"])[:70])
                else:
                    b=begun[e["end"]]
                    print("    <",e["end"],b["method"],b["of"],e["outcome"])
